/** Which engines of providers the engines files of running workers name, so that calls of a removed engine are found. */
import type { Database } from './database.ts';

/** How long after its last worker an engine counts as removed: longer than a worker may miss its renewals. */
const lease = `interval '10 seconds'`;
/** How long calls may wait for a removed engine: as long as an artwork is kept by default. */
const longestWait = `interval '8 days'`;

/** Records that a running worker has these engines in its file. */
export async function renewBoundEngines(db: Database, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await db.em().execute(
    `insert into bound_engine (name, seen_at)
     values ${names.map(() => '(?, clock_timestamp())').join()}
     on conflict (name) do update set seen_at = excluded.seen_at`,
    // In one order, so that two workers do not block each other.
    [...names].sort(),
    'run',
  );
}

/** Returns the engines that no running worker has in its file, but for which calls may still wait. */
export async function findRemovedEngines(db: Database): Promise<string[]> {
  const rows = await db.em().execute<{ name: string }[]>(
    `select name from bound_engine
     where seen_at < clock_timestamp() - ${lease} and seen_at > clock_timestamp() - ${longestWait}`,
  );
  return rows.map(({ name }) => name);
}

/** Records the engines in the engines files of running workers, to find engines that were removed. */
import type { Database } from './database.ts';

/** Time without a renewal after which an engine counts as removed: longer than a few missed renewals. */
const lease = `interval '10 seconds'`;
/** Time for which the queue of a removed engine is still polled: the default retention. */
const longestWait = `interval '8 days'`;

/** Records that a running worker has these engines in its file. */
export async function renewConfiguredEngines(db: Database, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await db.em().execute(
    `insert into configured_engine (name, seen_at)
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
    `select name from configured_engine
     where seen_at < clock_timestamp() - ${lease} and seen_at > clock_timestamp() - ${longestWait}`,
  );
  return rows.map(({ name }) => name);
}

/** Lets one process at a time migrate a database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartupError } from '../runtime/startup-error.ts';

/** The key of the advisory lock: any number that no other program uses in this database. */
const lock = 2611_2026;
/** Milliseconds between two attempts. */
const pause = 250;

/**
 * Takes the lock, which ends with the session. It does not wait in PostgreSQL: the building of an index would wait for
 * this statement, and it for the index.
 * @param longest milliseconds
 * @throws StartupError when another process holds the lock for longer
 */
export async function lockMigrations(session: pg.Client, longest: number): Promise<void> {
  const until = Date.now() + longest;
  for (;;) {
    const { rows } = await session.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lock]);
    if (rows[0]?.locked === true) return;
    if (Date.now() > until) {
      const pid = (await holder(session)) ?? '…';
      throw new StartupError(
        `Another process has migrated this database for ${Math.round(longest / 1000)} seconds: wait until it ends, ` +
          `or end its session with select pg_terminate_backend(${pid}), and migrate again.`,
      );
    }
    await sleep(pause);
  }
}

/** Returns the process id of the session that holds the lock. */
async function holder(session: pg.Client): Promise<number | undefined> {
  const { rows } = await session.query<{ pid: number }>(
    `select pid from pg_locks
     where locktype = 'advisory' and granted and (classid, objid, objsubid) = (0, $1, 1)
       and database = (select oid from pg_database where datname = current_database())`,
    [lock],
  );
  return rows[0]?.pid;
}

/** A connection that breaks or hangs during a transaction is replaced, and the transaction has no effect. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Database, isDatabaseUnavailable, openDatabase } from '../../store/database.ts';
import { shared } from '../support/shared.ts';

const timeout = 500;
let db: Database;
let other: pg.Client;

beforeAll(async () => {
  other = new pg.Client(shared().databaseUrl);
  await other.connect();
  await other.query('create table note (text text)');
  db = openDatabase({ url: shared().databaseUrl, name: 'pool-test', connections: 1, timeout });
});
afterAll(async () => {
  await db.close();
  await other.end();
});

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The process was terminated, not frozen.
  }
}

test.each([
  [
    'the server closes it',
    (pid: number) => other.query('select pg_terminate_backend($1)', [pid]).then(() => delay(50)),
  ],
  ['its server process freezes', (pid: number) => Promise.resolve(process.kill(pid, 'SIGSTOP'))],
])('replaces the only connection of a pool when %s during a transaction', async (_name, harm) => {
  for (let time = 0; time < 2; time++) {
    let pid = 0;
    const spoiled = db.em().transactional(async (em) => {
      const [row] = await em.execute<[{ pid: number }]>('select pg_backend_pid() as pid');
      await em.execute(`insert into note values ('never')`);
      await harm((pid = row.pid));
      await em.execute(`insert into note values ('never')`);
    });
    const error = await spoiled.catch((cause: unknown) => cause);
    expect(isDatabaseUnavailable(error)).toBe(true);
    resume(pid);
    expect(await db.em().execute('select 1 as one')).toEqual([{ one: 1 }]);
  }
  await delay(100);
  expect((await other.query('select * from note')).rows).toEqual([]);
});

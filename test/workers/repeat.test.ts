/** A worker repeats its upkeep, such as the sweeps of the database: it continues after failures, and ends when stopped. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { sweep } from '../../store/sweep.ts';
import { repeat } from '../../workers/repeat.ts';
import { ownDatabase, type OwnDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase } from '../support/open-database.ts';

let own: OwnDatabase;
let db: Database;

beforeAll(async () => {
  own = await ownDatabase();
  db = openTestDatabase(own.url);
});
afterAll(async () => {
  await db.close();
  await own.sql.end();
});

const verifiedUntil = async () => {
  const { rows } = await own.sql.query<{ at: Date }>(`select at from ledger_mark where name = 'verified'`);
  return rows[0]!.at.getTime();
};

test('sweeps again after a failure, until it is stopped', async () => {
  const errors: string[] = [];
  const ignore = () => undefined;
  const log = { info: ignore, warn: ignore, error: (_fields: object, message: string) => void errors.push(message) };
  await own.sql.query('alter table ledger_mark rename to lost');
  const sweeps = repeat(log, 20, (signal) => sweep(db, new Date(), signal));
  await eventually(() => expect(errors).toContain('Upkeep failed'));
  await own.sql.query('alter table lost rename to ledger_mark');
  await eventually(async () => expect(await verifiedUntil()).toBeGreaterThan(0));
  const first = await verifiedUntil();
  await eventually(async () => expect(await verifiedUntil()).toBeGreaterThan(first));
  await sweeps.stop();
  const last = await verifiedUntil();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await verifiedUntil()).toBe(last);
});

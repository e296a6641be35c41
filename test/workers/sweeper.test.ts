/** A worker sweeps the database from time to time, continues after failures, and stops when it is closed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { startSweeper } from '../../workers/sweeper.ts';
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

test('sweeps again after a failure, until it is closed', async () => {
  const warnings: string[] = [];
  const ignore = () => undefined;
  const log = { info: ignore, error: ignore, warn: (_fields: object, message: string) => void warnings.push(message) };
  await own.sql.query('alter table ledger_mark rename to lost');
  const sweeper = startSweeper(db, log, Date.now, 20);
  await eventually(() => expect(warnings).toContain('A sweep has failed'));
  await own.sql.query('alter table lost rename to ledger_mark');
  await eventually(async () => expect(await verifiedUntil()).toBeGreaterThan(0));
  const first = await verifiedUntil();
  await eventually(async () => expect(await verifiedUntil()).toBeGreaterThan(first));
  await sweeper.close();
  const last = await verifiedUntil();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await verifiedUntil()).toBe(last);
});

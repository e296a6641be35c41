/** The ledger: a balance equals the sum of its entries under concurrent writes, is never below 0, and no entry changes. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { deleteArtworkRows, insertArtwork } from '../../store/artworks.ts';
import { grantCredits, isOutOfCredits, listEntries, listStatements, settle } from '../../store/credits.ts';
import { findFaults } from '../../store/ledger-faults.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { newArtwork } from '../support/artworks.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';

let stack: Stack;
let db: Database;
let sql: pg.Client;
let key: string;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
  sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
});
beforeEach(async () => {
  key = await makeKey(100);
});
afterAll(async () => {
  await Promise.all([db.close(), sql.end()]);
  await stack.stop();
});

const makeKey = async (credits: number) => (await createTestKey(db, { orgId: stack.orgId, credits })).id;

const statement = async () => (await listStatements(db, stack.orgId)).find(({ keyId }) => keyId === key)!;
const amounts = async () => (await listEntries(db, key, 100)).map(({ kind, amount }) => `${kind} ${amount}`).sort();
const store = (price: number) => {
  const artwork = newArtwork({ org: stack.orgId, key, price });
  return insertArtwork(db, artwork).then(() => artwork.id);
};
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('initial credits are a grant; grants add or remove credits', async () => {
  expect(await statement()).toEqual({ keyId: key, credits: 100, granted: 100, reserved: 0, charged: 0 });
  expect(await grantCredits(db, { orgId: stack.orgId, keyId: key }, 50, new Date())).toBe(150);
  expect(await grantCredits(db, { orgId: stack.orgId, keyId: key }, -30, new Date())).toBe(120);
  expect(isOutOfCredits(await failure(grantCredits(db, { orgId: stack.orgId, keyId: key }, -121, new Date())))).toBe(
    true,
  );
  expect(await grantCredits(db, { orgId: 'org_other', keyId: key }, 1, new Date())).toBeNull();
  expect(await grantCredits(db, { orgId: stack.orgId, keyId: 'key_none' }, 1, new Date())).toBeNull();
  expect(await statement()).toMatchObject({ credits: 120, granted: 120 });
  expect(await amounts()).toEqual(['grant -30', 'grant 100', 'grant 50']);
});

test('a statement that sets the balance writes a grant of the difference', async () => {
  await sql.query('update api_key set credits = 7 where id = $1', [key]);
  await sql.query('update api_key set credits = credits where id = $1', [key]);
  await sql.query(`update api_key set label = 'x' where id = $1`, [key]);
  expect(await amounts()).toEqual(['grant -93', 'grant 100']);
  expect(await findFaults(db)).toEqual([]);
});

test('a statement that inserts an entry changes the balance', async () => {
  const entry = `insert into ledger_entry (reference, kind, key_id, amount, created_at) values`;
  await sql.query(`${entry} ('a1', 'reserve', $1, -10, now()), ('a2', 'reserve', $1, -5, now())`, [key]);
  expect(await statement()).toMatchObject({ credits: 85, reserved: 15 });
  await sql.query(`${entry} ('a1', 'release', $1, 10, now()), ('a1', 'charge', $1, -10, now())`, [key]);
  await sql.query(`${entry} ('a2', 'release', $1, 5, now())`, [key]);
  expect(await statement()).toMatchObject({ credits: 90, reserved: 0, charged: 10 });
  for (const values of [
    `('a1', 'release', $1, 10, now())`,
    `('a3', 'reserve', $1, -91, now())`,
    `('a3', 'reserve', $1, 1, now())`,
    `('a3', 'release', $1, -1, now())`,
    `('a3', 'grant', $1, 0, now())`,
    `('a3', 'gift', $1, 1, now())`,
  ]) {
    await expect(sql.query(`${entry} ${values}`, [key])).rejects.toThrow(/violates/);
  }
  expect(await statement()).toMatchObject({ credits: 90 });
});

test('rejects changes to entries, which are deleted only with their key', async () => {
  await expect(sql.query('update ledger_entry set amount = 1 where key_id = $1', [key])).rejects.toThrow(
    'never changed',
  );
  await expect(sql.query('delete from ledger_entry where key_id = $1', [key])).rejects.toThrow('never changed');
  await sql.query('delete from api_key where id = $1', [key]);
  expect(await amounts()).toEqual([]);
});

test('a reservation that is too large stores nothing', async () => {
  const artwork = newArtwork({ org: stack.orgId, key, price: 101 });
  expect(isOutOfCredits(await failure(insertArtwork(db, artwork)))).toBe(true);
  expect((await sql.query('select from artwork where id = $1', [artwork.id])).rowCount).toBe(0);
  expect(await amounts()).toEqual(['grant 100']);
});

test('concurrent reservations never exceed the credits', async () => {
  const results = await Promise.all(Array.from({ length: 40 }, () => failure(store(9))));
  expect(results.filter((error) => error === null)).toHaveLength(11);
  expect(results.filter((error) => error !== null).every(isOutOfCredits)).toBe(true);
  expect(await statement()).toMatchObject({ credits: 1, reserved: 99 });
});

test('an artwork that is deleted before its end costs nothing, and its entries stay', async () => {
  const id = await store(40);
  expect(await statement()).toMatchObject({ credits: 60, reserved: 40 });
  await Promise.all([deleteArtworkRows(db, id, new Date()), deleteArtworkRows(db, id, new Date())]);
  expect(await statement()).toMatchObject({ credits: 100, reserved: 0 });
  expect(await amounts()).toEqual(['grant 100', 'release 40', 'reserve -40']);
});

test('an artwork that a previous release ended without a settlement is settled at its purge', async () => {
  const id = await store(40);
  await sql.query(`update artwork set status = 'SUCCEEDED', finished_at = now() where id = $1`, [id]);
  expect(await findFaults(db)).toEqual([{ id, fault: 'has ended, but its reservation is open' }]);
  await deleteArtworkRows(db, id, new Date());
  expect(await findFaults(db)).toEqual([]);
  expect(await statement()).toMatchObject({ credits: 100, reserved: 0, charged: 0 });
});

test('an artwork that costs nothing writes no entry', async () => {
  await deleteArtworkRows(db, await store(0), new Date());
  expect(await amounts()).toEqual(['grant 100']);
});

test('a second settlement fails as a whole', async () => {
  const row = { id: await store(40), key, operation: 'selena', reserved: 40 };
  await settle(db.em(), row, 30, new Date());
  await expect(settle(db.em(), row, 0, new Date())).rejects.toThrow('unique');
  expect(await statement()).toMatchObject({ credits: 70, reserved: 0, charged: 30 });
});

test('findFaults finds every kind of inconsistency', async () => {
  await sql.query('alter table api_key disable trigger credits_set');
  await sql.query('update api_key set credits = 5 where id = $1', [key]);
  await sql.query('alter table api_key enable trigger credits_set');
  expect(await findFaults(db)).toContainEqual({ id: key, fault: 'has 5 credits, but its ledger has 100' });
  await sql.query('delete from api_key where id = $1', [key]);

  key = await makeKey(100);
  const [lost, bare, early] = [await store(10), await store(0), await store(5)];
  await sql.query('delete from artwork where id = $1', [lost]);
  await sql.query('update artwork set reserved = 3 where id = $1', [bare]);
  await settle(db.em(), { id: early, key, operation: 'selena', reserved: 5 }, 0, new Date());
  const over = newId('art');
  await sql.query(
    `insert into ledger_entry (reference, kind, key_id, amount, created_at)
     values ($1, 'reserve', $2, -4, now()), ($1, 'release', $2, 4, now()), ($1, 'charge', $2, -6, now())`,
    [over, key],
  );
  const faults = [
    { id: lost, fault: 'has ended, but its reservation is open' },
    { id: bare, fault: 'has a price, but no reservation' },
    { id: early, fault: 'has not ended, but its reservation is settled' },
    { id: over, fault: 'was charged 6, but only 4 were reserved' },
  ];
  const found = (await findFaults(db)).filter(({ id }) => faults.some((fault) => fault.id === id));
  expect(found).toEqual(faults.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
});

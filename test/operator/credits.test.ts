/** `operator credits …` and `operator prices …`. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { insertArtwork } from '../../store/artworks.ts';
import type { Database } from '../../store/database.ts';
import { newArtwork } from '../support/artworks.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { priced as writePrices } from '../support/prices.ts';
import { ownDatabase, type OwnDatabase, secret } from '../support/database.ts';
import { createTestKey } from '../support/test-key.ts';

let own: OwnDatabase;
let env: NodeJS.ProcessEnv;
let orgId: string;
let db: Database;
let key: string;

beforeAll(async () => {
  own = await ownDatabase();
  orgId = own.owner.org;
  env = { DATABASE_URL: own.url, ATELIER_SECRET: secret };
  db = openTestDatabase(own.url);
});
beforeEach(async () => {
  key = (await createTestKey(db, { orgId, credits: 10 })).id;
});
afterAll(async () => {
  await db.close();
  await own.sql.end();
});

const run = (...args: string[]) => operator(env, ...args);
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run('--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

test('grants, removes, shows and lists credits', async () => {
  expect(await json('credits', 'grant', orgId, key, '90')).toEqual({ keyId: key, granted: 90, credits: 100 });
  expect(await json('credits', 'grant', orgId, key, '--', '-40')).toEqual({
    keyId: key,
    granted: -40,
    credits: 60,
  });
  const artwork = newArtwork({ org: orgId, key, price: 25 });
  await insertArtwork(db, artwork);
  const [newest] = await json<object[]>('credits', 'show', orgId);
  expect(newest).toEqual({ keyId: key, credits: 35, granted: 60, reserved: 25, charged: 0 });
  const entries = await json<Record<string, unknown>[]>('credits', 'list', orgId, key);
  expect(entries.map(({ kind, amount, operation }) => [kind, amount, operation])).toEqual([
    ['reserve', -25, 'selena'],
    ['grant', -40, null],
    ['grant', 90, null],
    ['grant', 10, null],
  ]);
  expect(entries[0]).toMatchObject({ reference: artwork.id, at: artwork.createdAt.toISOString() });
});

test.each([
  ['removing more than the balance', () => ['grant', orgId, key, '--', '-11'], 'has fewer than 11 credits left'],
  ['an unknown key', () => ['grant', orgId, 'key_none', '5'], `has no key key_none`],
  ['the key of another organization', () => ['grant', 'org_other', key, '5'], 'The organization org_other has no key'],
  ['a grant of 0', () => ['grant', orgId, key, '0'], 'whole number other than 0'],
  ['a fraction', () => ['grant', orgId, key, '1.5'], 'whole number other than 0'],
  ['too large an amount', () => ['grant', orgId, key, '10000000000'], 'at most nine digits'],
  ['showing an unknown organization', () => ['show', 'org_none'], 'no organization org_none'],
  ['listing an unknown key', () => ['list', orgId, 'key_none'], 'has no key key_none'],
])('rejects %s with a message', async (_name, args, words) => {
  const { code, stderr } = await run('credits', ...args());
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(words) });
  expect(stderr).not.toContain('    at ');
});

test('check finds a balance that differs from its ledger', async () => {
  expect(await json('credits', 'check')).toEqual({ faults: [] });
  const { sql } = own;
  const tamper = async (credits: number) => {
    await sql.query('alter table api_key disable trigger credits_set');
    await sql.query('update api_key set credits = $1 where id = $2', [credits, key]);
    await sql.query('alter table api_key enable trigger credits_set');
  };
  await tamper(1000);
  const { code, stdout } = await run('--json', 'credits', 'check');
  expect([code, JSON.parse(stdout)]).toEqual([1, { faults: [`${key} has 1000 credits, but its ledger has 10`] }]);
  await tamper(10);
});

test('check --full also finds a change of an entry that is verified', async () => {
  const { sql } = own;
  await sql.query(`update ledger_mark set at = now() + interval '1 minute'`);
  await sql.query(`insert into ledger_total select id, credits, 0, 0 from api_key`);
  const tamper = async (amount: number) => {
    await sql.query('alter table ledger_entry disable trigger ledger_kept');
    await sql.query('update ledger_entry set amount = $1 where key_id = $2', [amount, key]);
    await sql.query('alter table ledger_entry enable trigger ledger_kept');
  };
  await tamper(7);
  expect(await json('credits', 'check')).toEqual({ faults: [] });
  const { code, stdout } = await run('--json', 'credits', 'check', '--full');
  expect([code, JSON.parse(stdout)]).toEqual([1, { faults: [`${key} has 10 credits, but its ledger has 7`] }]);
  await tamper(10);
  await sql.query(`truncate ledger_total; update ledger_mark set at = 'epoch'`);
});

test('shows the price of every operation and checks a price list', async () => {
  const { ATELIER_PRICES } = await writePrices({ selena: { perImage: 4 } });
  const priced = { ...env, ATELIER_PRICES };
  const { stdout } = await operator(priced, '--json', 'prices', 'show');
  const shown = JSON.parse(stdout) as Record<string, unknown>;
  expect(shown).toMatchObject({ selena: { perImage: 4 }, quantum: { base: 0 }, textcraft: { base: 0 } });
  expect((await operator(priced, 'prices', 'show')).stdout).toMatch(/^selena +\{"perImage":4\}$/m);
  expect(await json('prices', 'check', ATELIER_PRICES)).toEqual({
    file: ATELIER_PRICES,
    valid: true,
    priced: ['selena'],
  });
  const wrong = await writePrices({ selena: { perImage: -4 } });
  const { code, stderr } = await run('prices', 'check', wrong.ATELIER_PRICES);
  expect([code, stderr]).toEqual([1, expect.stringContaining('/selena/perImage must be at least 0')]);
  expect((await run('prices', 'check')).stderr).toContain('Name a file, or set ATELIER_PRICES.');
});

test.each([
  ['credits', 'check'],
  ['prices', 'show'],
])('%s %s runs as a process of its own', async (...args) => {
  const { code, stdout, stderr } = await operatorProcess(
    { ...process.env, ...env, NODE_OPTIONS: '' },
    '--json',
    ...args,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(expect.any(Object));
});

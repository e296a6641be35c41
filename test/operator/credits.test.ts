/** `operator credits …` and `operator prices …`. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { insertArtwork } from '../../store/artworks.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { createKey } from '../../store/keys.ts';
import { newArtwork } from '../support/artworks.ts';
import { operator } from '../support/operator.ts';
import { priced } from '../support/prices.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let db: Database;
let key: string;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
});
beforeEach(async () => {
  const fields = { label: 'test', scope: 'generator', environment: 'live', credits: 10, expiresAt: null } as const;
  key = (await createKey(db, { ...fields, orgId: stack.orgId, domains: [] }, new Date())).row.id;
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});

const run = (...args: string[]) => operator(stack.env, ...args);
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run('--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

test('credits are granted, taken away, shown and listed', async () => {
  expect(await json('credits', 'grant', stack.orgId, key, '90')).toEqual({ keyId: key, granted: 90, credits: 100 });
  expect(await json('credits', 'grant', stack.orgId, key, '--', '-40')).toEqual({
    keyId: key,
    granted: -40,
    credits: 60,
  });
  const artwork = newArtwork({ org: stack.orgId, key, price: 25 });
  await insertArtwork(db, artwork);
  const [newest] = await json<object[]>('credits', 'show', stack.orgId);
  expect(newest).toEqual({ keyId: key, credits: 35, granted: 60, reserved: 25, charged: 0 });
  const entries = await json<Record<string, unknown>[]>('credits', 'list', stack.orgId, key);
  expect(entries.map(({ kind, amount, operation }) => [kind, amount, operation])).toEqual([
    ['reserve', -25, 'selena'],
    ['grant', -40, null],
    ['grant', 90, null],
    ['grant', 10, null],
  ]);
  expect(entries[0]).toMatchObject({ reference: artwork.id, at: artwork.createdAt.toISOString() });
});

test.each([
  ['more than there is', () => ['grant', stack.orgId, key, '--', '-11'], 'has fewer than 11 credits left'],
  ['an unknown key', () => ['grant', stack.orgId, 'key_none', '5'], `has no key key_none`],
  ['the key of another organization', () => ['grant', 'org_other', key, '5'], 'The organization org_other has no key'],
  ['nothing', () => ['grant', stack.orgId, key, '0'], 'whole number other than 0'],
  ['a fraction', () => ['grant', stack.orgId, key, '1.5'], 'whole number other than 0'],
  ['too much', () => ['grant', stack.orgId, key, '10000000000'], 'at most nine digits'],
  ['to show an unknown organization', () => ['show', 'org_none'], 'no organization org_none'],
  ['to list an unknown key', () => ['list', stack.orgId, 'key_none'], 'has no key key_none'],
])('%s is refused in words', async (_name, args, words) => {
  const { code, stderr } = await run('credits', ...args());
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(words) });
  expect(stderr).not.toContain('    at ');
});

test('check finds a balance that is not the sum of its ledger', async () => {
  expect(await json('credits', 'check')).toEqual({ faults: [] });
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  const tamper = async (credits: number) => {
    await sql.query('alter table api_key disable trigger credits_set');
    await sql.query('update api_key set credits = $1 where id = $2', [credits, key]);
    await sql.query('alter table api_key enable trigger credits_set');
  };
  await tamper(1000);
  const { code, stdout } = await run('--json', 'credits', 'check');
  expect([code, JSON.parse(stdout)]).toEqual([1, { faults: [`${key} has 1000 credits, its ledger 10`] }]);
  await tamper(10);
  await sql.end();
});

test('prices are shown for every operation, and a list is checked before an API reads it', async () => {
  const { ATELIER_PRICES } = await priced({ selena: { perImage: 4 } });
  const env = { ...stack.env, ATELIER_PRICES };
  const { stdout } = await operator(env, '--json', 'prices', 'show');
  const shown = JSON.parse(stdout) as Record<string, unknown>;
  expect(shown).toMatchObject({ selena: { perImage: 4 }, quantum: { base: 0 }, textcraft: { base: 0 } });
  expect((await operator(env, 'prices', 'show')).stdout).toMatch(/^selena +\{"perImage":4\}$/m);
  expect(await json('prices', 'check', ATELIER_PRICES)).toEqual({
    file: ATELIER_PRICES,
    valid: true,
    priced: ['selena'],
  });
  const wrong = await priced({ selena: { perImage: -4 } });
  const { code, stderr } = await run('prices', 'check', wrong.ATELIER_PRICES);
  expect([code, stderr]).toEqual([1, expect.stringContaining('/selena/perImage must be >= 0')]);
  expect((await run('prices', 'check')).stderr).toContain('Name a file, or set ATELIER_PRICES');
});

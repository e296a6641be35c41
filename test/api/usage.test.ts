/** Usage by day, operation and key: read in pages, and added by several processes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { UsageItem } from '../../schemas/usage.ts';
import type { Database } from '../../store/database.ts';
import type { NewKey } from '../../store/keys.ts';
import { addCredits, type CountedUsage, saveCounts } from '../../store/usage.ts';
import { call } from '../support/client.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { createTestOrganization } from '../support/test-organization.ts';

let service: Service;
let db: Database;

beforeAll(async () => {
  service = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
});
afterAll(async () => {
  await db.close();
});

/** Adds counts as a process does. */
const save = (counts: CountedUsage[]) => saveCounts(db, { counter: randomUUID(), number: 1, counts });

/** Returns the id of an organization for one test. */
const newOrganization = async () => (await createTestOrganization(db, service.secret)).orgId;

const makeKey = (orgId: string, fields: Partial<NewKey> = {}) =>
  createTestKey(db, { orgId, scope: 'manager', ...fields });

interface Usage {
  from: string;
  to: string;
  totals: Pick<UsageItem, 'requests' | 'artworks' | 'credits'>;
  items: UsageItem[];
  nextCursor: string | null;
}

const read = (key: string, query = '') => call<Usage>(`${service.baseUrl}/v2/usage${query}`, { key });
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const count = (key: string, fields: Partial<CountedUsage> = {}): CountedUsage => ({
  ...{ key, day: day(0), operation: 'selena', requests: 1, artworks: 1, lastUsedAt: new Date() },
  ...fields,
});

test('returns the requested days, newest first, in pages', async () => {
  const orgId = await newOrganization();
  const { id, apiKey } = await makeKey(orgId);
  const past = [1, 2, 29, 30, 365, 366].map((ago) => count(id, { day: day(ago), requests: ago }));
  await save([...past, count(id, { day: day(2), operation: null, artworks: 0 })]);
  const days = async (query: string) => (await read(apiKey, query)).body.items.map(({ date }) => date);
  const old = (items: string[]) => items.filter((date) => date !== day(0));
  expect(old(await days(''))).toEqual([day(1), day(2), day(2), day(29)]);
  expect(await days(`?to=${day(29)}`)).toEqual([day(29), day(30)]);
  expect(await days(`?from=${day(366)}&to=${day(366)}`)).toEqual([day(366)]);
  expect(old(await days(`?from=${day(365)}`))).toHaveLength(6);
  const seen: UsageItem[] = [];
  const span = `?from=${day(365)}&to=${day(1)}`;
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: Usage } = await read(
      apiKey,
      `${span}&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(body.items).toHaveLength(1);
    expect(body.totals).toEqual({ requests: 428, artworks: 5, credits: 0 });
    seen.push(...body.items);
    cursor = body.nextCursor;
  }
  expect(seen).toEqual((await read(apiKey, span)).body.items);
});

test('counts and reads the usage of each environment separately', async () => {
  const orgId = await newOrganization();
  const [live, tester] = [await makeKey(orgId), await makeKey(orgId, { environment: 'test' })];
  await save([count(live.id, { requests: 5, day: day(1) }), count(tester.id, { requests: 7, day: day(1) })]);
  const span = `?from=${day(1)}&to=${day(1)}`;
  for (const [key, requests] of [
    [live, 5],
    [tester, 7],
  ] as const) {
    const { body } = await read(key.apiKey, span);
    expect(body.items).toEqual([expect.objectContaining({ keyId: key.id, requests })]);
    expect(body.totals).toEqual({ requests, artworks: 1, credits: 0 });
  }
});

test('names every invalid day and page', async () => {
  const { apiKey } = await makeKey(await newOrganization());
  const faults = async (query: string) => rules(expectProblem(await read(apiKey, query), 'validation_failed'));
  expect(await faults('?from=yesterday&to=2026-02-30&limit=0&cursor=x')).toEqual([
    '/cursor cursor',
    '/from date',
    '/limit range',
    '/to date',
  ]);
  for (const never of ['0000-01-01', '1999-12-31', '2026-1-1', '2026-11-21T00:00:00Z', '%00', '']) {
    expect(await faults(`?to=${never}`)).toEqual(['/to date']);
  }
  expect(await faults('?from=2026-01-01&from=2026-01-02')).toEqual(['/from date']);
  const keyId = 'key_01KAJ3V8C0Q5M2X7ZB4N9TDWEH';
  for (const cursor of [
    `2026-99-99,,${keyId}`,
    `2026-02-30,selena,${keyId}`,
    `2026-01-01,Selena,${keyId}`,
    `2026-01-01,2d,${keyId}`,
    `2026-01-01,%00,${keyId}`,
    `2026-01-01,selena,${keyId},`,
    `2026-01-01,${keyId}`,
    '2026-01-01,selena,key_x',
    ',,',
  ]) {
    expect([cursor, await faults(`?cursor=${cursor}`)]).toEqual([cursor, ['/cursor cursor']]);
  }
  for (const operation of ['', 'selena', 'flux2', 'style-dna/edit/style-aware']) {
    const { status } = await read(apiKey, `?cursor=2026-01-01,${operation},${keyId}`);
    expect([operation, status]).toEqual([operation, 200]);
  }
  expect(await faults('?from=2026-01-02&to=2026-01-01')).toEqual(['/from order']);
  expect(await faults('?from=2025-01-01&to=2026-01-02')).toEqual(['/from range']);
  expect((await read(apiKey, '?from=2025-01-02&to=2026-01-02')).status).toBe(200);
});

test('an organization reads its own usage only', async () => {
  const [mine, theirs] = [await newOrganization(), await newOrganization()];
  const [me, they] = [await makeKey(mine), await makeKey(theirs)];
  await save([count(they.id, { requests: 5 })]);
  const { items, totals } = (await read(me.apiKey, `?to=${day(0)}`)).body;
  expect(items.filter(({ keyId }) => keyId !== me.id)).toEqual([]);
  expect(totals.artworks).toBe(0);
});

test('processes that add to the same sums concurrently lose nothing and do not block each other', async () => {
  const orgId = await newOrganization();
  const keys = await Promise.all(Array.from({ length: 12 }, () => makeKey(orgId)));
  const used = keys.flatMap(({ id }) => ['selena', 'quantum', null].map((operation) => count(id, { operation })));
  const shuffled = () => used.toSorted(() => Math.random() - 0.5);
  await Promise.all(Array.from({ length: 20 }, () => save(shuffled())));
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  const sums = 'select requests::int, artworks::int from usage where org_id = $1';
  const counts = 'select usage_count::int as count from api_key where org_id = $1';
  const [usage, own] = [await client.query(sums, [orgId]), await client.query(counts, [orgId])];
  await client.end();
  expect(usage.rows).toEqual(used.map(() => ({ requests: 20, artworks: 20 })));
  expect(own.rows).toEqual(keys.map(() => ({ count: 60 })));
});

test('adds credits in the transaction of the charge, and leaves out those of an unknown key', async () => {
  const { id, apiKey } = await makeKey(await newOrganization());
  const charge = { key: id, day: day(0), operation: 'selena', credits: 7 };
  await db.em().transactional(async (em) => {
    await addCredits(em, charge);
    await addCredits(em, { ...charge, credits: -2 });
    await addCredits(em, { ...charge, key: 'key_lost' });
  });
  await save([count('key_lost')]);
  await db
    .em()
    .transactional(async (em) => {
      await addCredits(em, charge);
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  expect((await read(apiKey)).body.totals.credits).toBe(5);
});

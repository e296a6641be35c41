/** Rate limits hold across all processes, appear on every response, and hold per process while PostgreSQL is slow. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { operator } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { newApiKey } from '../../store/ids.ts';
import { type KeyChanges, type NewKey, updateKey } from '../../store/keys.ts';
import { call, type CallOptions } from '../support/client.ts';
import { whenCounted } from '../support/limited.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';

const rates = {
  // Other files test the limits of organizations.
  ATELIER_ORGANIZATION_LIMITS: 'creationsPerMinute=none,requestsPerMinute=none',
  ATELIER_RATE_CREATIONS: '7',
  ATELIER_RATE_OTHERS: '100',
  ATELIER_RATE_UNAUTHORIZED: '60',
};
let stack: Stack;
let db: Database;
let client: pg.Client;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 2, workers: 0, env: { ...rates, ATELIER_ANSWER_TIMEOUT: '50ms' } });
  db = openTestDatabase(stack.databaseUrl);
  client = new pg.Client(stack.databaseUrl);
  await client.connect();
  // Behind PgBouncer, which opens its connections one after the other, the first counts could take too long.
  await whenCounted(stack, async () => {
    const { apiKey } = await makeKey({}, { rateOthers: 1000 });
    expect(Math.min(...remaining(await getFromBoth(apiKey, 200)))).toBe(800);
  });
});
afterAll(async () => {
  await db.close();
  await client.end();
  await stack.stop();
});

async function makeKey(fields: Partial<NewKey> = {}, changes: KeyChanges = {}): Promise<TestKey> {
  const { orgId } = stack;
  const key = await createTestKey(db, { orgId, scope: 'admin', ...fields });
  await updateKey(db, { orgId, id: key.id }, changes, new Date(), operator);
  return key;
}

const styles = '/v2/artworks/selena/styles';
const get = (key: string | null, options: CallOptions & { api?: number; path?: string } = {}) => {
  const { api = 0, path = styles, ...rest } = options;
  return call(`${stack.baseUrls[api]}${path}`, { key, ...rest });
};
/** Sends requests at once, alternately to both processes. */
const getFromBoth = (key: string, length: number) =>
  Promise.all(Array.from({ length }, (_, index) => get(key, { api: index % 2 })));
const headersOf = ({ headers }: { headers: Headers }) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
const remaining = (responses: { headers: Headers }[]) =>
  responses.map((response) => Number(/r=(\d+)/.exec(headersOf(response)[1] ?? '')?.[1]));

test('200 concurrent requests to two processes: exactly as many succeed as the limit allows', async () => {
  await whenCounted(stack, async () => {
    const { apiKey } = await makeKey();
    const responses = await getFromBoth(apiKey, 200);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(100);
    for (const response of responses) {
      if (response.status !== 200) expectProblem(response, 'rate_limited');
      const [policy, state] = headersOf(response);
      expect(policy).toBe('"others";q=100;w=60');
      expect(state).toMatch(/^"others";r=\d+;t=\d+$/);
    }
    const highest = remaining(responses).toSorted((a, b) => b - a);
    expect(highest.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
  });
});

test('a 429 says when to retry, and requests succeed then', async () => {
  const { id, apiKey, limited } = await whenCounted(stack, async () => {
    const key = await makeKey({}, { rateOthers: 1 });
    expect((await get(key.apiKey)).status).toBe(200);
    const limited = await get(key.apiKey, { api: 1 });
    expectProblem(limited, 'rate_limited');
    return { ...key, limited };
  });
  const seconds = Number(limited.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(headersOf(limited)).toEqual(['"others";q=1;w=60', `"others";r=0;t=${seconds}`]);
  await client.query('update rate_limit set expire = $1 where key = $2', [Date.now(), `others:${id}`]);
  // A process that knows the count does not read it again before the window ends.
  await stack.apis[1]?.stop();
  stack.apis[1] = await stack.startApi(1);
  const next = await get(apiKey, { api: 1 });
  expect([next.status, ...headersOf(next)]).toEqual([200, '"others";q=1;w=60', '"others";r=0;t=60']);
});

test('counts creations and synchronous requests apart from other requests, including rejected requests and replays', async () => {
  await whenCounted(stack, async () => {
    const { apiKey } = await makeKey({ scope: 'generator', domains: ['artworks-internal', 'textcraft'] });
    const post = (path: string, body: unknown, headers = {}) => get(apiKey, { method: 'POST', path, body, headers });
    const prompt = { prompt: 'a lighthouse' };
    const once = { 'idempotency-key': 'the same' };
    const creations = [
      await post('/v2/artworks/selena', prompt, once),
      await post('/v2/artworks/selena', prompt, once),
      await post('/v2/artworks/selena', {}),
      await post('/v2/style-dna/generate', { ...prompt, styleDnaId: 'sty_x' }),
      await post('/v2/textcraft', { task: 'rewrite', ...prompt }),
      await post('/artworks/selena', 'not json'),
    ];
    expect(creations.map(({ status }) => status)).toEqual([202, 202, 400, 403, 504, 400]);
    expect(creations.map(headersOf)).toEqual(
      creations.map((_one, index) => ['"creations";q=7;w=60', expect.stringContaining(`"creations";r=${6 - index};`)]),
    );
    const others = [
      await get(apiKey),
      await get(apiKey, { path: '/v2/artworks/art_nothing' }),
      await get(apiKey, { path: `/v2/organizations/${stack.orgId}` }),
      await post(`/v2/organizations/${stack.orgId}/api-keys`, {}),
      await post('/v2/files', {}),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 404, 403, 403, 415]);
    expect(others.map(headersOf)).toEqual(
      others.map((_one, index) => ['"others";q=100;w=60', expect.stringContaining(`"others";r=${99 - index};`)]),
    );
    expect((await post('/v2/artworks/selena', prompt)).status).toBe(202);
    // Rejected before validation.
    expectProblem(await post('/v2/artworks/selena', {}), 'rate_limited');
    expect((await get(apiKey)).status).toBe(200);
  });
});

test("the operator's limits of a key take effect at once, higher or lower, and other keys keep theirs", async () => {
  await whenCounted(stack, async () => {
    const { id, apiKey } = await makeKey();
    expect(headersOf(await get(apiKey))[0]).toBe('"others";q=100;w=60');
    const update = (changes: KeyChanges) => updateKey(db, { orgId: stack.orgId, id }, changes, new Date(), operator);
    await update({ rateOthers: 2000, rateCreations: 1 });
    const responses = await getFromBoth(apiKey, 150);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const post = () => get(apiKey, { method: 'POST', path: '/v2/artworks/selena', body: { prompt: 'a fox' } });
    expect((await post()).status).toBe(202);
    expectProblem(await post(), 'rate_limited');
    await update({ rateOthers: null });
    expectProblem(await get(apiKey), 'rate_limited');
    expect((await get((await makeKey()).apiKey)).status).toBe(200);
  });
});

test('limits requests without a valid key by address in each process, and no others', async () => {
  const { apiKey } = await makeKey();
  const expired = await makeKey({ expiresAt: new Date(Date.now() - 1) });
  const keys = [null, newApiKey('live'), 'nonsense', expired.apiKey];
  const responses = await Promise.all(
    Array.from({ length: 180 }, (_, index) => {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` };
      return get(keys[(index >> 1) % keys.length] ?? null, { api: index % 2, headers });
    }),
  );
  const rejected = responses.map(({ status }, index) => ({ status, api: index % 2 }));
  for (const api of [0, 1]) {
    expect(rejected.filter((one) => one.api === api && one.status === 401)).toHaveLength(60);
  }
  for (const response of responses) {
    expect(headersOf(response)).toEqual([
      '"unauthorized";q=60;w=60',
      expect.stringMatching(/^"unauthorized";r=\d+;t=\d+$/),
    ]);
    if (response.status === 401) continue;
    expectProblem(response, 'rate_limited');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect((await get(apiKey)).status).toBe(200);
});

test('counts the address that a trusted proxy names; for IPv6, its network', async () => {
  await stack.apis[1]?.stop();
  await stack.startApi(1, { ATELIER_TRUSTED_PROXIES: 'loopback', ATELIER_RATE_UNAUTHORIZED: '1' });
  const from = (address: string) => get(null, { api: 1, headers: { 'x-forwarded-for': address } });
  expectProblem(await from('203.0.113.7'), 'invalid_api_key');
  expectProblem(await from('203.0.113.7'), 'rate_limited');
  expectProblem(await from('1.2.3.4, 203.0.113.7'), 'rate_limited');
  expectProblem(await from('203.0.113.8'), 'invalid_api_key');
  expectProblem(await from('::ffff:203.0.113.8'), 'rate_limited');
  expectProblem(await from('2001:db8:1:2::1'), 'invalid_api_key');
  expectProblem(await from('2001:db8:1:2:ffff::9'), 'rate_limited');
  expectProblem(await from('2001:db8:1:3::1'), 'invalid_api_key');
  expectProblem(await from('not an address'), 'invalid_api_key');
});

test('a process continues from the last shared count while PostgreSQL cannot count, and no request waits long', async () => {
  const { id, apiKey } = await makeKey({}, { rateOthers: 5 });
  expect((await get(apiKey)).status).toBe(200);
  await client.query('begin; lock table rate_limit in access exclusive mode');
  const began = performance.now();
  const responses = await Promise.all(Array.from({ length: 20 }, () => get(apiKey)));
  const waited = performance.now() - began;
  await client.query('commit');
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
  // The timeout is 200 ms; the rest is room for a busy machine. A request that waits for the lock takes 2000 ms.
  expect(waited).toBeLessThan(1800);
  // The first process leaves PostgreSQL alone for a second.
  await delay(1200);
  const after = await getFromBoth(apiKey, 10);
  expect(after.filter(({ status }) => status === 200).length).toBeLessThan(5);
  const { rows } = await client.query<{ points: number }>('select points from rate_limit where key = $1', [
    `others:${id}`,
  ]);
  // A process that knows the limit to be reached does not count further requests.
  expect(rows[0]?.points).toBeGreaterThanOrEqual(5);
});

/** An API that stops cleanly saves its counts of requests and ends its streams, which clients resume at another API. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UsageItem } from '../../schemas/usage.ts';
import { deleteArtworkRows } from '../../store/artworks.ts';
import type { Database } from '../../store/database.ts';
import { call } from '../support/client.ts';
import { readContract } from '../support/contract.ts';
import { eventually } from '../support/eventually.ts';
import { follow } from '../support/follow.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { createTestOrganization } from '../support/test-organization.ts';

let stack: Stack;
let db: Database;
let orgId: string;

beforeAll(async () => {
  // Without workers, artworks do not end, and synchronous requests time out.
  stack = await startSharedStack({ apis: 2, workers: 0, env: { ATELIER_ANSWER_TIMEOUT: '50ms' } });
  db = openTestDatabase(stack.databaseUrl);
  ({ orgId } = await createTestOrganization(db, stack.secret));
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});

interface Usage {
  items: UsageItem[];
}

const prompt = { prompt: 'a fox' };
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const readUsage = (key: string, api = 0) => call<Usage>(`${stack.baseUrls[api]}/v2/usage`, { key });
const post = (key: string, operation: string, body: object, api: number) =>
  call(`${stack.baseUrls[api]}/v2/${operation}`, { method: 'POST', key, body });

test('stopped APIs have saved every use of a key and every request of the usage, including rejected ones', async () => {
  // This key belongs to another organization, so the usage below counts only the other two keys.
  const counted = await createTestKey(db, { orgId: stack.orgId, domains: ['artworks-internal'] });
  const keys = `${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`;
  const began = Date.now();
  const styles = (api: number) => call(`${stack.baseUrls[api]}/v2/artworks/selena/styles`, { key: counted.apiKey });
  await Promise.all(Array.from({ length: 60 }, (_, index) => styles(index % 2)));
  expectProblem(await call(keys, { method: 'POST', key: counted.apiKey, body: {} }), 'insufficient_scope');
  expectProblem(await call(`${stack.baseUrl}/v2/artworks/x`, { key: counted.apiKey }), 'not_found');
  const ended = Date.now();

  const [one, two] = [await createTestKey(db, { orgId, scope: 'manager' }), await createTestKey(db, { orgId })];
  for (let index = 0; index < 10; index++) await post(one.apiKey, 'artworks/selena', prompt, index % 2);
  await post(one.apiKey, 'artworks/selena', {}, 0);
  const { body } = await post(two.apiKey, 'artworks/quantum', prompt, 1);
  await post(two.apiKey, 'textcraft', { task: 'rewrite', ...prompt }, 1);
  expectProblem(await readUsage(two.apiKey), 'insufficient_scope');
  const stopDay = day(0);
  await Promise.all(stack.apis.map((api) => api.stop()));
  stack.apis = await Promise.all([stack.startApi(0), stack.startApi(1)]);
  await deleteArtworkRows(db, String(body['id']), new Date());

  const revoked = await call(`${keys}/${counted.id}`, { method: 'DELETE', key: stack.adminKey });
  // 60 accepted requests, 1 without the scope, 1 for an artwork that does not exist.
  expect(revoked.body['usageCount']).toBe(62);
  const lastUsedAt = Date.parse(String(revoked.body['lastUsedAt']));
  expect(lastUsedAt).toBeGreaterThanOrEqual(began);
  expect(lastUsedAt).toBeLessThanOrEqual(ended);

  const response = await readUsage(one.apiKey);
  (await readContract(stack.baseUrl)).check('GET', '/v2/usage', response);
  const date = expect.any(String);
  // On a slow machine, this read is counted before it is complete.
  const { items, ...others } = response.body;
  const own = items.filter(({ keyId, operation }) => keyId === one.id && operation === null);
  expect({ ...others, items: items.filter((item) => !own.includes(item)) }).toEqual({
    ...{ from: day(29), to: stopDay, nextCursor: null },
    totals: { requests: 14 + own.length, artworks: 11, credits: 0 },
    items: [
      { date, operation: null, keyId: two.id, requests: 1, artworks: 0, credits: 0 },
      { date, operation: 'quantum', keyId: two.id, requests: 1, artworks: 1, credits: 0 },
      { date, operation: 'selena', keyId: one.id, requests: 11, artworks: 10, credits: 0 },
      { date, operation: 'textcraft', keyId: two.id, requests: 1, artworks: 0, credits: 0 },
    ],
  });
  // This read counts as well, a moment later.
  await eventually(async () => {
    const [first] = (await readUsage(one.apiKey, 1)).body.items;
    expect(first).toMatchObject({ operation: null, keyId: one.id });
  });
});

test('an API that stops ends its streams, and clients resume at another without repeated events', async () => {
  const { apiKey: key } = await createTestKey(db, { orgId });
  const { body } = await post(key, 'artworks/selena', prompt, 0);
  const eventsAt = (api: number) => `${stack.baseUrls[api]}/v2/artworks/${String(body['id'])}/events`;
  const following = await follow(eventsAt(1), key);
  const { id } = await following.until(({ event }) => event === 'status');
  const api = stack.apis[1]!;
  process.kill(api.pid, 'SIGTERM');
  expect(await following.closed).toBe('ended');
  expect(await api.exited).toEqual({ code: 0, signal: null });
  const again = await follow(eventsAt(0), key, id);
  await call(`${stack.baseUrl}/v2/artworks/${String(body['id'])}/cancel`, { method: 'POST', key });
  expect((await again.until((one) => one.id === 'end')).data).toMatchObject({ status: 'CANCELED' });
  expect(again.events.map((event) => event.id)).not.toContain(id);
});

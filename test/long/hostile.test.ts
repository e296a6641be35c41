/**
 * 1,000 hostile requests per second beside legitimate ones. `npm run bench -- hostile` measures the times of the
 * legitimate ones. This test checks what keeps them short: hostile requests cost the database almost nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call, create } from '../support/client.ts';
import { sendFlood } from '../support/flood/flood.ts';
import { hostileRequests } from '../support/flood/hostile-requests.ts';
import { createLimitedKey } from '../support/flood/limited-key.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

const perSecond = 1000;
const seconds = 20;

let stack: Stack;
let database: pg.Client;

beforeAll(async () => {
  stack = await startSharedStack({
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_RATE_UNAUTHORIZED: '60', ATELIER_TRUSTED_PROXIES: 'loopback' },
  });
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
}, 120_000);
afterAll(async () => {
  await database.end();
  await stack.stop();
}, 60_000);

/** Returns the number of ended transactions, including single statements. */
async function transactions(): Promise<number> {
  const { rows } = await database.query<{ ended: string }>(
    'select xact_commit + xact_rollback as ended from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.ended);
}

test('every hostile request is rejected, and every legitimate one succeeds', async () => {
  const receiver = await startReceiver();
  const requests = Object.values(hostileRequests(await createLimitedKey(stack))).flat();
  const before = await transactions();
  let isOver = false;
  const flood = sendFlood({ baseUrl: stack.baseUrl, perSecond, seconds, requests }).finally(() => (isOver = true));

  const legitimate: number[] = [];
  const created: string[] = [];
  while (!isOver) {
    const list = await call(`${stack.baseUrl}/v2/artworks?limit=20`, { key: stack.adminKey });
    legitimate.push(list.status);
    if (legitimate.length % 10 === 0) {
      created.push((await create(stack, { prompt: 'a lighthouse', webhookUrl: receiver.url })).id);
    }
    await delay(100);
  }
  const { sent, statuses } = await flood;
  const ended = (await transactions()) - before;

  expect(sent).toBe(perSecond * seconds);
  // The attacker's own key may send one request of each kind per minute.
  const { 200: reads = 0, 202: creations = 0, 401: unauthorized = 0, 404: unknown = 0, 429: limited = 0 } = statuses;
  expect(reads).toBeLessThanOrEqual(2);
  expect(creations).toBeLessThanOrEqual(2);
  expect([unauthorized, unknown, limited].every((count) => count > 0)).toBe(true);
  expect(Object.keys(statuses).filter((status) => status >= '500')).toEqual([]);
  expect(new Set(legitimate)).toEqual(new Set([200]));
  expect(legitimate.length).toBeGreaterThan(20);
  await Promise.all(created.map((id) => receiver.until(id, 1, 60_000)));
  // Four of six kinds send a key. Without batches, each of them took one to three queries.
  expect(ended / sent).toBeLessThan(0.6);
  await receiver.close();
}, 180_000);

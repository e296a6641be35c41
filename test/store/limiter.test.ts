/** Counts are exact for concurrent requests, and the rows of old windows are removed automatically. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withDeadline } from '../../runtime/deadline.ts';
import { type Limiter, openLimiter } from '../../store/limiter.ts';
import { eventually } from '../support/eventually.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let client: pg.Client;
const fallbacks: unknown[] = [];

const open = (url = stack.databaseUrl): Limiter => openLimiter({ url }, 'test', (error) => fallbacks.push(error));

/** Timeout and pause in milliseconds. After a fallback, the limiter counts in memory for a second. */
const untilShared = [20_000, 1100] as const;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  client = new pg.Client(stack.databaseUrl);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await stack.stop();
});

test('two processes share one count', async () => {
  const limiters = [open(), open()];
  // On a busy machine the first connections may take longer than the limiter waits for them.
  await eventually(
    async () => {
      fallbacks.length = 0;
      await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 8 }, () => limiter.increment('warm-up'))));
      expect(fallbacks).toEqual([]);
    },
    ...untilShared,
  );
  const taken = await Promise.all(Array.from({ length: 1000 }, (_, index) => limiters[index % 2]!.increment('one')));
  expect(fallbacks).toEqual([]);
  expect(taken.map((one) => one.count).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 1000 }, (_, index) => index + 1),
  );
  for (const one of taken) {
    expect(one.left).toBeGreaterThan(0);
    expect(one.left).toBeLessThanOrEqual(60_000);
  }
  expect((await limiters[0]!.increment('another')).count).toBe(1);
  await Promise.all(limiters.map((limiter) => limiter.close()));
});

test('counts several points at once, and reads a count without adding to it', async () => {
  const limiter = open();
  const counts = await eventually(
    async () => {
      fallbacks.length = 0;
      const name = `points-${Math.random()}`;
      expect([await limiter.known(name), (await limiter.read(name)).count]).toEqual([0, 0]);
      const added = await Promise.all([
        limiter.increment(name, 5),
        limiter.increment(name),
        limiter.increment(name, 4),
      ]);
      const after = [await limiter.known(name), (await limiter.read(name)).count];
      expect(fallbacks).toEqual([]);
      return [...added.map(({ count }) => count), ...after];
    },
    ...untilShared,
  );
  expect(counts).toEqual([5, 6, 10, 10, 10]);
  await limiter.close();
});

test('a name that has reached its limit is no longer counted until its window ends', async () => {
  const limiter = open();
  const counts = await eventually(
    async () => {
      fallbacks.length = 0;
      const name = `limited-${Math.random()}`;
      const increment = () => limiter.increment(name, 2, 4);
      const results = [await increment(), await increment(), await increment(), await increment()];
      expect(fallbacks).toEqual([]);
      expect(results[3]?.left).toBeGreaterThan(0);
      const { count: stored } = await limiter.read(name);
      const raised = await limiter.increment(name, 1, 10);
      expect(fallbacks).toEqual([]);
      return [...results.map(({ count }) => count), stored, raised.count];
    },
    ...untilShared,
  );
  expect(counts).toEqual([2, 4, 6, 6, 4, 5]);
  await limiter.close();
});

test('connections that requests have opened outlive the deadlines of these requests', async () => {
  const limiter = open();
  const names = Array.from({ length: 8 }, (_, index) => `name-${index}`);
  const countAll = () => Promise.all(names.map((name) => limiter.increment(name)));
  const counts = await eventually(
    async () => {
      fallbacks.length = 0;
      const counted = await withDeadline(1000, countAll);
      expect(fallbacks).toEqual([]);
      return counted.map(({ count }) => count);
    },
    ...untilShared,
  );
  await delay(1100);
  const next = await countAll();
  expect(fallbacks).toEqual([]);
  expect(next.map(({ count }) => count)).toEqual(counts.map((count) => count + 1));
  await limiter.close();
});

test('counts in memory while PostgreSQL is unavailable', async () => {
  const nowhere = new URL(stack.databaseUrl);
  nowhere.port = '1';
  const limiter = open(nowhere.href);
  fallbacks.length = 0;
  const taken = await Promise.all(Array.from({ length: 5 }, () => limiter.increment('one')));
  expect(taken.map(({ count }) => count)).toEqual([1, 2, 3, 4, 5]);
  expect((await limiter.increment('one')).count).toBe(6);
  expect(fallbacks).toHaveLength(1);
  await limiter.close();
});

test('removes rows whose window ended more than an hour ago', async () => {
  const insert = (key: string, ago: number) =>
    client.query('insert into rate_limit values ($1, 1, $2)', [key, Date.now() - ago]);
  await insert('old', 3_700_000);
  await insert('young', 60_000);
  // The library removes old rows every five minutes.
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance', 'Date', 'queueMicrotask'] });
  const limiter = open();
  jest.advanceTimersByTime(300_000);
  jest.useRealTimers();
  await eventually(async () => {
    const { rows } = await client.query(`select key from rate_limit where key in ('old', 'young')`);
    expect(rows).toEqual([{ key: 'young' }]);
  });
  await limiter.close();
});

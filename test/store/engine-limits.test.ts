/** The limits of a provider hold across all workers. Two pools stand for two processes. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  reserveSlot,
  countRunning,
  holdEngine,
  releaseSlot,
  pauseEngines,
  resumeEngines,
} from '../../store/engine-limits.ts';
import { permitLease, requestPermits, returnPermits } from '../../store/poll-permits.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let pools: Database[];
let engine: string;
let count = 0;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  pools = [1, 2].map(() => openDatabase({ url: stack.databaseUrl, name: 'test', timeout: 20_000 }));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await stack.stop();
});
beforeEach(() => {
  engine = `engine-${++count}`;
});

const pool = (index: number): Database => pools[index % pools.length]!;
const slotFor = (index: number) => ({ engine, artwork: `art_${index}`, call: 'image-1' });

test('spaces out the calls of all workers', async () => {
  const admissions = await Promise.all(
    Array.from({ length: 20 }, (_, index) => reserveSlot(pool(index), slotFor(index), { perSecond: 10 })),
  );
  expect(admissions.every(({ verdict }) => verdict === 'go')).toBe(true);
  const began = admissions.map(({ wait }) => wait).sort((a, b) => a - b);
  // The time that the statements take only shortens the waits.
  expect(began.at(-1)).toBeGreaterThan(1000);
  expect(began.at(-1)).toBeLessThanOrEqual(1900);
});

test('rejects a call whose wait would be too long, and reserves nothing for it', async () => {
  const reserve = () => reserveSlot(pool(0), slotFor(1), { perSecond: 0.1 });
  expect(await reserve()).toEqual({ verdict: 'go', wait: 0 });
  expect(await reserve()).toEqual({ verdict: 'busy', wait: expect.any(Number) });
  expect((await reserve()).wait).toBeGreaterThan(8000);
});

test('grants no more slots than the limit; a repeated call keeps its slot, and a released slot is free again', async () => {
  const reserve = (index: number) => reserveSlot(pool(index), slotFor(index), { concurrent: 5 });
  const verdicts = (await Promise.all(Array.from({ length: 40 }, (_, index) => reserve(index)))).map(
    (one) => one.verdict,
  );
  expect(verdicts.filter((verdict) => verdict === 'go')).toHaveLength(5);
  expect(verdicts.filter((verdict) => verdict === 'full')).toHaveLength(35);
  const inside = verdicts.indexOf('go');
  const outside = verdicts.indexOf('full');
  expect((await reserve(inside)).verdict).toBe('go');
  expect((await reserve(outside)).verdict).toBe('full');
  await releaseSlot(pool(0), slotFor(inside));
  expect((await reserve(outside)).verdict).toBe('go');
  expect((await countRunning(pool(1), new Date())).get(engine)).toBe(5);
});

test('a paused engine admits no call, with or without limits, until it is resumed', async () => {
  await pauseEngines(pool(0), [engine], new Date());
  for (const limits of [{}, { perSecond: 5 }])
    expect((await reserveSlot(pool(1), slotFor(1), limits)).verdict).toBe('paused');
  await resumeEngines(pool(1), [engine]);
  for (const limits of [{}, { perSecond: 5 }])
    expect((await reserveSlot(pool(0), slotFor(1), limits)).verdict).toBe('go');
});

test('a pause that a provider requests holds for all workers, and the longest pause wins', async () => {
  await reserveSlot(pool(0), slotFor(1), {});
  await holdEngine(pool(0), engine, 60_000);
  await holdEngine(pool(1), engine, 1000);
  const { verdict, wait } = await reserveSlot(pool(1), slotFor(2), {});
  expect(verdict).toBe('held');
  expect(wait).toBeGreaterThan(30_000);
});

test('an operator’s resume ends a pause that a provider requested', async () => {
  await reserveSlot(pool(0), slotFor(1), {});
  await holdEngine(pool(0), engine, 60_000);
  await resumeEngines(pool(1), [engine]);
  expect((await reserveSlot(pool(0), slotFor(2), {})).verdict).toBe('go');
});

const none = { held: 0, waiting: 0, wanted: 0 };

test('all workers together get as many permits as calls may run at once', async () => {
  const request = (index: number) =>
    requestPermits(pool(index), engine, { concurrent: 5 }, { ...none, worker: `w${index}`, wanted: 2 });
  const granted = await Promise.all(Array.from({ length: 8 }, (_, index) => request(index)));
  expect(granted.reduce((sum, one) => sum + one, 0)).toBe(5);
  const holder = granted.indexOf(2);
  const [empty, other] = granted.flatMap((one, index) => (one === 0 ? [index] : []));
  expect(await request(empty!)).toBe(0);
  await requestPermits(pool(0), engine, { concurrent: 5 }, { ...none, worker: `w${holder}`, held: 1, waiting: 0 });
  expect(await request(empty!)).toBe(1);
  await returnPermits(pool(0), `w${holder}`);
  expect(await request(other!)).toBe(1);
});

test('permits that a worker does not renew are free again', async () => {
  const request = (worker: string) =>
    requestPermits(pool(0), engine, { concurrent: 1 }, { ...none, worker, wanted: 1 });
  expect(await request('dead')).toBe(1);
  expect(await request('alive')).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, permitLease + 100));
  expect(await request('alive')).toBe(1);
});

test('a rate grants permits for the calls that can start soon, over all workers', async () => {
  const limits = { perSecond: 2 };
  const request = (worker: string, of: Partial<typeof none>) =>
    requestPermits(pool(0), engine, limits, { worker, ...none, ...of });
  // Starts after 0, 0.5, 1, 1.5 and 2 seconds.
  expect(await request('one', { wanted: 3 })).toBe(3);
  expect(await request('two', { wanted: 9 })).toBe(2);
  expect(await request('two', { held: 2, waiting: 2, wanted: 1 })).toBe(0);
  // Each start takes a start time from the window, and none is added before it passes.
  await reserveSlot(pool(0), slotFor(1), limits);
  expect(await request('two', { held: 2, waiting: 1, wanted: 9 })).toBe(0);
  // A rate of one call in ten minutes.
  const slow = { perSecond: 1 / 600 };
  engine = `${engine}-slow`;
  const requestSlow = () => requestPermits(pool(0), engine, slow, { worker: 'one', ...none, wanted: 5 });
  expect(await requestSlow()).toBe(1);
  await reserveSlot(pool(0), slotFor(1), slow);
  expect(await requestSlow()).toBe(0);
});

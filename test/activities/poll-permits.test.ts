/** The permits of two workers for the queue of one provider. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createPollPermits, type PollPermits } from '../../activities/poll-permits.ts';
import type { ProviderLimits } from '../../schemas/engines-file.ts';
import type { Database } from '../../store/database.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let db: Database;
let time = 0;
let engines = 0;
let opened: PollPermits[] = [];

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  db = openTestDatabase(stack.databaseUrl);
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});
beforeEach(() => {
  engines++;
  opened = [];
});
afterEach(() => Promise.all(opened.map((permits) => permits.close())));

const never = new AbortController().signal;

function permitsOf(worker: string, limits: ProviderLimits, capacity = 10): PollPermits {
  const permits = createPollPermits(db, { engine: `engine-${engines}`, worker, limits, capacity, now: () => time });
  opened.push(permits);
  return permits;
}

/** Returns whether a reservation was granted within the time of a repeated request. */
async function isGranted(reserving: Promise<void>): Promise<boolean> {
  return Promise.race([reserving.then(() => true), delay(1200, false)]);
}

test('a permit is free as soon as the provider has finished, while the result is stored', async () => {
  const [one, two] = [permitsOf('one', { concurrent: 1 }), permitsOf('two', { concurrent: 1 })];
  await one.reserve(never);
  one.take();
  const permit = one.open();
  permit.start();
  const waiting = two.reserve(never);
  expect(await isGranted(waiting)).toBe(false);
  permit.release();
  await waiting;
  // The end of the activity and a repeated release free no other permit.
  permit.release();
  one.free(true);
  expect(await isGranted(one.reserve(never))).toBe(false);
});

test('an ended poll without a call and a canceled reservation leave no permit behind', async () => {
  const [one, two] = [permitsOf('one', { concurrent: 1 }), permitsOf('two', { concurrent: 1 })];
  await one.reserve(never);
  const canceled = new AbortController();
  const waiting = two.reserve(canceled.signal);
  canceled.abort(new Error('the worker stops'));
  await expect(waiting).rejects.toThrow('the worker stops');
  one.free(false);
  await two.reserve(never);
  two.free(false);
  await one.reserve(never);
});

test('an activity that never begins gives its permit back', async () => {
  const permits = permitsOf('one', { concurrent: 1 });
  await permits.reserve(never);
  permits.take();
  permits.free(true);
  await permits.reserve(never);
});

test('a worker whose polls do not reach Temporal leaves its permits to others', async () => {
  const [one, two] = [permitsOf('one', { concurrent: 1 }), permitsOf('two', { concurrent: 1 })];
  await one.reserve(never);
  const waiting = two.reserve(never);
  time += 80_000;
  await waiting;
});

test('a worker holds no more polls and activities than its capacity', async () => {
  const permits = permitsOf('one', { perSecond: 1000 }, 2);
  await permits.reserve(never);
  await permits.reserve(never);
  const third = permits.reserve(never);
  expect(await isGranted(third)).toBe(false);
  permits.free(false);
  await third;
});

test('permits for a rate: a start makes room for the next call', async () => {
  const permits = permitsOf('one', { perSecond: 0.5 });
  await permits.reserve(never);
  await permits.reserve(never);
  const third = permits.reserve(never);
  expect(await isGranted(third)).toBe(false);
  permits.take();
  permits.open().start();
  await third;
});

test('a database that fails delays a reservation only', async () => {
  const permits = permitsOf('one', { concurrent: 1 });
  await db.em().execute('alter table poll_permit rename to poll_permit_away', [], 'run');
  const waiting = permits.reserve(never);
  expect(await isGranted(waiting)).toBe(false);
  await db.em().execute('alter table poll_permit_away rename to poll_permit', [], 'run');
  await eventually(async () => expect(await isGranted(waiting)).toBe(true));
});

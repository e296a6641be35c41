/** What a provider allows holds over all workers, its pause and its Retry-After too; one organization's burst starves no other. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Accepted } from '../../schemas/artwork.ts';
import { create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { operator } from '../support/operator.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { type FalAlone, startFalAlone } from '../upstreams/fal-alone.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

const perSecond = 5;
let slow: FalAlone;
let narrow: UpstreamFake;
let common: UpstreamFake;
let stack: Stack;

beforeAll(async () => {
  [slow, narrow, common] = await Promise.all([startFalAlone(apiKey), startFal({ apiKey }), startFal({ apiKey })]);
  const env = enginesEnv(shared().folder, {
    engines: {
      slow: at('fal', slow, { perSecond }),
      narrow: at('fal', narrow, { concurrent: 3 }),
      common: at('fal', common, { perSecond: 20, concurrent: 4 }),
    },
    models: {
      selena: [{ ...flux, engine: 'slow' }],
      quantum: [{ ...flux, engine: 'narrow' }],
      hamilton: [{ ...flux, engine: 'common' }],
    },
  });
  stack = await startSharedStack({ env, workers: 3 });
});
afterEach(() => {
  for (const fake of [narrow, common]) {
    fake.fail(null);
    fake.release();
  }
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([slow, narrow, common].map((fake) => fake.close()));
});

const body = { prompt: 'a boat on a lake', width: 256, height: 256 };

/** Ten at a time: it is the worker that is to be busy. */
async function createAll(count: number, operation: string, service: Pick<Stack, 'baseUrl' | 'adminKey'> = stack) {
  const made: Accepted[] = [];
  while (made.length < count) {
    const batch = Array.from({ length: Math.min(10, count - made.length) }, () => create(service, body, operation));
    made.push(...(await Promise.all(batch)));
  }
  return made;
}

/** The most that began within any second. */
function most(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((time) => time >= from && time < from + 1000).length));
}

test('100 calls of three workers: no second sees more than the rate, and one', async () => {
  const made = await createAll(100, 'selena');
  for (const { id } of made) expect((await ended(stack, id, 120_000)).status).toBe('SUCCEEDED');
  const times = await slow.submittedAt();
  expect(times.length).toBeGreaterThanOrEqual(100);
  expect(most(times)).toBeLessThanOrEqual(perSecond + 1);
});

test('no more jobs at once than the provider runs, over all workers', async () => {
  narrow.hold();
  const made = await createAll(12, 'quantum');
  await eventually(() => expect(narrow.counts.submissions).toBe(3));
  // Time enough for a fourth, if there were a place.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(narrow.counts.submissions).toBe(3);
  narrow.release();
  for (const { id } of made) expect((await ended(stack, id, 120_000)).status).toBe('SUCCEEDED');
  expect(narrow.counts.submissions).toBe(12);
});

test('Retry-After holds for all workers', async () => {
  narrow.fail('busy', { times: 1 });
  const before = narrow.submittedAt.length;
  const made = await createAll(3, 'quantum');
  for (const { id } of made) expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
  const [refused, ...later] = narrow.submittedAt.slice(before);
  // Those that had begun when the refusal came may be there already.
  expect(later.filter((time) => time - refused! > 300 && time - refused! < 950)).toEqual([]);
});

const operate = async (...args: string[]): Promise<Record<string, unknown>[]> => {
  const { code, stdout, stderr } = await operator(stack.env, '--json', ...args);
  expect([code, stderr]).toEqual([0, '']);
  return [JSON.parse(stdout) as Record<string, unknown>].flat();
};

test('an operator pauses an engine, sees what waits for it, and resumes it', async () => {
  expect(await operate('engines', 'pause', 'narrow')).toMatchObject([
    { engine: 'narrow', pausedAt: expect.any(String) },
  ]);
  const before = narrow.counts.submissions;
  const { id } = await create(stack, body, 'quantum');
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  expect(await operate('engines', 'list')).toContainEqual(
    expect.objectContaining({ engine: 'narrow', pausedAt: expect.any(String), running: 0, concurrent: 3 }),
  );
  expect(narrow.counts.submissions).toBe(before);
  await operate('engines', 'resume', 'narrow');
  expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
});

test('200 artworks of one organization do not hold up 5 of another', async () => {
  const [organization] = await operate('organizations', 'create', 'Late');
  const [key] = await operate('keys', 'create', String(organization!['orgId']));
  const late = { baseUrl: stack.baseUrl, adminKey: String(key!['apiKey']) };
  common.hold();
  const many = await createAll(200, 'hamilton');
  const few = await createAll(5, 'hamilton', late);
  common.release();
  for (const { id } of few) expect((await ended(late, id, 120_000)).status).toBe('SUCCEEDED');
  const states = await Promise.all(many.map(({ id }) => read(stack, id)));
  // In one line they would have come last.
  expect(states.filter(({ finishedAt }) => finishedAt === null).length).toBeGreaterThan(100);
});

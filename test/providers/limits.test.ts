/** The limits of a provider, its pause and its Retry-After hold for all workers together; one organization's burst starves no other. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Accepted } from '../../schemas/artwork.ts';
import { newId } from '../../store/ids.ts';
import { createOrganization } from '../../store/organizations.ts';
import { openVault } from '../../store/vault.ts';
import { openAccounts } from '../support/accounts.ts';
import { create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { inBatches } from '../support/in-batches.ts';
import { operatorProcess } from '../support/operator.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import { type FalAlone, startFalAlone } from '../upstreams/fal-alone.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// Merged tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

const perSecond = 5;
let slow: FalAlone;
let narrow: UpstreamFake;
let common: UpstreamFake;
let stack: Stack;
let hundred: Accepted[];

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
  stack = await startSharedStack({ workers: 3, ...timed({}, env) });
  // Their calls take twenty seconds, during which the other tests run.
  hundred = await createAll(100, 'selena');
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

const createAll = (count: number, operation: string, service: Pick<Stack, 'baseUrl' | 'adminKey'> = stack) =>
  inBatches(Array<string>(count).fill(operation), (name) => create(service, body, name));

/** Returns the largest number of times within any second. */
function most(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((time) => time >= from && time < from + 1000).length));
}

test('no more jobs at once than the provider runs, over all workers', async () => {
  narrow.hold();
  const made = await createAll(12, 'quantum');
  await eventually(() => expect(narrow.counts.submissions).toBe(3));
  // Long enough for a fourth, if there were a slot.
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
  // Calls that were on their way when the 429 was sent may still arrive.
  expect(later.filter((time) => time - refused! > 300 && time - refused! < 950)).toEqual([]);
});

const operate = async (...args: string[]): Promise<Record<string, unknown>[]> => {
  const { code, stdout, stderr } = await operatorProcess(stack.env, '--json', ...args);
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

test('100 artworks of one organization do not delay 5 of another', async () => {
  const orgId = newId('org');
  const accounts = await openAccounts(stack);
  await createOrganization(accounts.db, openVault(stack.secret), { id: orgId, name: 'Late', now: new Date() });
  const late = { baseUrl: stack.baseUrl, adminKey: (await accounts.newKey({ orgId })).apiKey };
  await accounts.close();
  common.hold();
  const many = await createAll(100, 'hamilton');
  const few = await createAll(5, 'hamilton', late);
  common.release();
  const finished = await Promise.all(few.map(({ id }) => ended(late, id, 120_000)));
  expect(finished.map(({ status }) => status)).toEqual(Array(5).fill('SUCCEEDED'));
  const last = finished.map(({ finishedAt }) => finishedAt!).sort().at(-1)!;
  const states = await Promise.all(many.map(({ id }) => read(stack, id)));
  // In a common queue the five would have come last.
  expect(states.filter(({ finishedAt }) => finishedAt === null || finishedAt > last).length).toBeGreaterThan(50);
});

test('100 calls on three workers: no second sees more than the rate, plus one', async () => {
  for (const { id } of hundred) expect((await ended(stack, id, 120_000)).status).toBe('SUCCEEDED');
  const times = await slow.submittedAt();
  expect(times.length).toBeGreaterThanOrEqual(100);
  expect(most(times)).toBeLessThanOrEqual(perSecond + 1);
});

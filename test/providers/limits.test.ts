/** The limits of a provider, its pause and its Retry-After hold for all workers together. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { inBatches } from '../support/in-batches.ts';
import { operatorProcess } from '../support/operator.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { timed } from '../support/timed.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let narrow: UpstreamFake;
let stack: Stack;
let temporal: TemporalClient;

beforeAll(async () => {
  narrow = await startFal({ apiKey });
  const env = enginesEnv(shared().folder, {
    engines: { narrow: at('fal', narrow, { concurrent: 3 }) },
    models: { quantum: [{ ...flux, engine: 'narrow' }] },
  });
  stack = await startSharedStack({ workers: 3, ...timed({}, env) });
  temporal = await openTemporal(stack);
});
afterEach(() => {
  narrow.fail(null);
  narrow.release();
});
afterAll(async () => {
  await temporal.close();
  await stack.stop();
  await narrow.close();
});

const body = { prompt: 'a boat on a lake', width: 256, height: 256 };

const createAll = (count: number) =>
  inBatches(Array<typeof body>(count).fill(body), (one) => create(stack, one, 'quantum'));

test('all workers together submit no more jobs at once than the provider allows', async () => {
  narrow.hold();
  const made = await createAll(12);
  await eventually(() => expect(narrow.counts.submissions).toBe(3));
  // Long enough to submit a fourth job if a slot were free.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(narrow.counts.submissions).toBe(3);
  // The other calls wait in Temporal, and occupy no worker.
  expect(await countRunningCalls(made)).toBe(3);
  narrow.release();
  for (const { id } of made) expect((await ended(stack, id, 120_000)).status).toBe('SUCCEEDED');
  expect(narrow.counts.submissions).toBe(12);
});

/** The number of the state of a running activity in Temporal's API. */
const started = 2;

/** Returns how many of the calls a worker has taken from the provider's queue. */
async function countRunningCalls(made: readonly { id: string }[]): Promise<number> {
  const described = await Promise.all(made.map(({ id }) => temporal.client.workflow.getHandle(id).describe()));
  const calls = described.flatMap(({ raw }) => raw.pendingActivities ?? []);
  return calls.filter(({ state }) => Number(state) === started).length;
}

test('Retry-After holds for all workers', async () => {
  narrow.fail('busy', { times: 1 });
  const before = narrow.submittedAt.length;
  const made = await createAll(3);
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

test('an operator pauses an engine, lists it, and resumes it', async () => {
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

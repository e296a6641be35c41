/** Engines that an operator removes from the engines file: their calls move to the engines to which the models are bound. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux, schnell } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { operatorProcess } from '../support/operator.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import { type FalFake, startFal } from '../upstreams/fal.ts';
import type { QueueFake } from '../upstreams/queue-fake.ts';
import { startReplicate } from '../upstreams/replicate.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(240_000);

let fal: FalFake;
let replicate: QueueFake;
let stack: Stack;

const engines = () => ({ fal: at('fal', fal), replicate: at('replicate', replicate, { concurrent: 2 }) });
const before = () => enginesEnv(shared().folder, { engines: engines(), models: { selena: [flux] } });
/** The file without the engine `fal`, or only without its binding. */
const after = ({ keepsSettings }: { keepsSettings: boolean }) => {
  const { fal: settings, ...rest } = engines();
  const models = { selena: [schnell] };
  return enginesEnv(shared().folder, { engines: { ...rest, ...(keepsSettings && { fal: settings }) }, models });
};

beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFal({ apiKey }), startReplicate({ apiKey })]);
  stack = await startSharedStack(timed({}, before()));
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([fal.close(), replicate.close()]);
});

const body = { prompt: 'a boat on a lake', width: 256, height: 256 };

async function restart(env: NodeJS.ProcessEnv): Promise<void> {
  await stack.stopWorkers();
  stack.workers.push(await stack.startWorker(env));
}

/** Creates an artwork whose job runs at fal. Returns its id. */
async function createHeld(): Promise<string> {
  const reads = fal.counts.reads;
  fal.hold();
  const { id } = await create(stack, body);
  await eventually(() => expect(fal.counts.reads).toBeGreaterThan(reads));
  return id;
}

test('calls that wait for a removed engine succeed at the engine to which their model is bound', async () => {
  const { code } = await operatorProcess(stack.env, 'engines', 'pause', 'fal');
  expect(code).toBe(0);
  const paused = await create(stack, body);
  await eventually(async () => expect((await read(stack, paused.id)).stage).toBe('waiting for provider'));
  // Without a worker for engines, the call waits in the queue itself.
  await restart({ ATELIER_WORKER_ROLES: 'workflows,deliveries' });
  const queued = await Promise.all(Array.from({ length: 5 }, () => create(stack, body)));
  for (const { id } of queued) await eventually(async () => expect((await read(stack, id)).status).toBe('PROCESSING'));
  await restart(after({ keepsSettings: false }));
  const since = Date.now();
  for (const { id } of [paused, ...queued]) {
    const artwork = await ended(stack, id, 90_000);
    expect(artwork.images[0]?.model).toBe('replicate/black-forest-labs/flux-schnell');
  }
  // An engine counts as removed after ten seconds.
  expect(Date.now() - since).toBeLessThan(40_000);
  expect(fal.counts.submissions).toBe(0);
  await operatorProcess(stack.env, 'engines', 'resume', 'fal');
});

test('a job at an engine that is no longer bound is read there', async () => {
  await restart(before());
  const counts = [fal.counts.submissions, replicate.counts.submissions];
  const id = await createHeld();
  await restart(after({ keepsSettings: true }));
  fal.release();
  expect((await ended(stack, id, 90_000)).images[0]?.model).toBe('fal/fal-ai/flux/dev');
  expect([fal.counts.submissions, replicate.counts.submissions]).toEqual([counts[0]! + 1, counts[1]]);
});

test('a job at an engine without settings is replaced, and canceled when its engine is back', async () => {
  await restart(before());
  const id = await createHeld();
  await restart(after({ keepsSettings: false }));
  const artwork = await ended(stack, id, 90_000);
  expect(artwork.images[0]?.model).toBe('replicate/black-forest-labs/flux-schnell');
  const cancels = fal.counts.cancels;
  await restart(before());
  await eventually(() => expect(fal.counts.cancels).toBe(cancels + 1), 30_000);
});

test('a job to which a call has moved is read although the file binds the old engine again', async () => {
  await restart({ ATELIER_WORKER_ROLES: 'workflows,deliveries' });
  const { id } = await create(stack, body);
  await eventually(async () => expect((await read(stack, id)).status).toBe('PROCESSING'));
  const [submissions, reads] = [fal.counts.submissions, replicate.counts.reads];
  replicate.hold();
  await restart(after({ keepsSettings: false }));
  await eventually(() => expect(replicate.counts.reads).toBeGreaterThan(reads), 60_000);
  await restart(before());
  replicate.release();
  const artwork = await ended(stack, id, 90_000);
  expect(artwork.images[0]?.model).toBe('replicate/black-forest-labs/flux-schnell');
  expect(fal.counts.submissions).toBe(submissions);
});

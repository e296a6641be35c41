/** A call is submitted once, although its worker freezes, Temporal stalls, or the worker stops while the call runs. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Running } from '../../scripts/local/child.ts';
import { create, ended } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux, schnell } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { freeze } from '../support/freeze.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { type StallingAddress, startStallingAddress } from '../support/stalling-address.ts';
import { timed } from '../support/timed.ts';
import { startWire, type Wire } from '../support/wire.ts';
import type { DirectFake } from '../upstreams/direct-fake.ts';
import { startFal } from '../upstreams/fal.ts';
import { startOpenAiImages } from '../upstreams/openai-images.ts';
import type { QueueFake } from '../upstreams/queue-fake.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

/** `selena` runs at fal, `hamilton` at fal or Replicate, `quantum` at OpenAI, which has no jobs. */
let fal: QueueFake;
let replicate: QueueFake;
let openai: DirectFake;
let stack: Stack;
let wire: Wire;
let temporal: StallingAddress;
/** The workers of the current test. */
let workers: Running[] = [];

beforeAll(async () => {
  [fal, replicate, openai] = await Promise.all([
    startFal({ apiKey }),
    startReplicate({ apiKey }),
    startOpenAiImages({ apiKey }),
  ]);
  const env = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', replicate), openai: at('openai', openai) },
    models: { selena: [flux], hamilton: [flux, schnell], quantum: [{ engine: 'openai', model: 'gpt-image-1.5' }] },
  });
  stack = await startSharedStack({ workers: 0, ...timed({}, env) });
  [wire, temporal] = await Promise.all([startWire(stack.databaseUrl), startStallingAddress(shared().temporalAddress)]);
});
beforeEach(() => {
  for (const fake of [fal, replicate, openai]) fake.release();
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop({ signal: 'SIGKILL' })));
  workers = [];
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([fal, replicate, openai, wire, temporal].map((one) => one.close()));
});

interface Made {
  id: string;
  prompt: string;
  fake: UpstreamFake;
}

async function createAt(operation: 'selena' | 'hamilton' | 'quantum'): Promise<Made> {
  const prompt = `a boat on a lake, number ${randomUUID()}`;
  const size = operation === 'quantum' ? 1024 : 256;
  const { id } = await create(stack, { prompt, width: size, height: size }, operation);
  return { id, prompt, fake: operation === 'quantum' ? openai : fal };
}

const submissions = ({ prompt }: Pick<Made, 'prompt'>): number =>
  [fal, replicate, openai]
    .flatMap(({ requests }) => requests)
    .filter(({ body }) => (JSON.stringify(body) ?? '').includes(prompt)).length;

async function expectMadeOnce(made: readonly Made[]): Promise<void> {
  for (const one of made) {
    expect((await ended(stack, one.id, 60_000)).status).toBe('SUCCEEDED');
    expect(submissions(one)).toBe(1);
  }
}

async function startWorker(env?: NodeJS.ProcessEnv): Promise<Running> {
  const worker = await stack.startWorker(env);
  workers.push(worker);
  return worker;
}

test('submits once when a worker freezes after it has counted the submissions', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, (_, index) => createAt(index % 2 ? 'selena' : 'quantum')));
  const held = made.map(({ id }) => wire.holdAt({ statement: /insert into job/, hold: 'response', about: id }));
  const frozen = await startWorker({ DATABASE_URL: wire.url });
  await Promise.all(held.map(({ reached }) => reached));
  const thaw = freeze(frozen.pid);
  for (const one of held) one.release();
  await startWorker();
  // Longer than the heartbeat timeout of a queue's calls.
  await delay(5000);
  thaw();
  await expectMadeOnce(made);
});

test('submits once when Temporal stalls during a submission or a direct call', async () => {
  await startWorker({ DATABASE_URL: wire.url, TEMPORAL_ADDRESS: temporal.address });
  openai.hold();
  const made = await Promise.all(['selena', 'selena', 'quantum', 'quantum'].map((one) => createAt(one as 'selena')));
  const held = made
    .filter(({ fake }) => fake === fal)
    .map(({ id }) => wire.holdAt({ statement: /update job\s+set remote_id/, hold: 'statement', about: id }));
  await Promise.all(held.map(({ reached }) => reached));
  await eventually(() => expect(made.map(submissions)).toEqual([1, 1, 1, 1]));
  temporal.stall();
  await delay(5000);
  temporal.resume();
  // The next attempts start while the first ones still wait.
  await delay(1500);
  for (const one of held) one.release();
  openai.release();
  await expectMadeOnce(made);
});

test('continues the same job after five stops of the worker, with one engine and with several', async () => {
  fal.hold();
  let worker = await startWorker();
  const made = await Promise.all([createAt('selena'), createAt('hamilton')]);
  await eventually(() => expect(made.map(submissions)).toEqual([1, 1]));
  // More often than the quick attempts of a call.
  for (let stop = 0; stop < 5; stop++) {
    const { reads } = fal.counts;
    await eventually(() => expect(fal.counts.reads).toBeGreaterThan(reads + 1));
    const [next] = await Promise.all([startWorker(), worker.stop()]);
    worker = next;
  }
  fal.release();
  await expectMadeOnce(made);
});

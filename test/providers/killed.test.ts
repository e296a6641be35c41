/** A worker is killed at each point of submit, store the job's id, poll and store the result: a job is submitted once. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Running } from '../../scripts/local/child.ts';
import { create, ended } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux, schnell, sdxl } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';
import { startComfyui } from '../upstreams/comfyui.ts';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

const operations = { fal: 'selena', replicate: 'quantum', comfyui: 'hamilton' } as const;
type Name = keyof typeof operations;

let fakes: Record<Name, UpstreamFake>;
/** Slots of fal, as many as its calls that one kill interrupts. A slot that is not released would delay the next calls. */
const slots = 5;

let stack: Stack;
let wire: Wire;
let worker: Running;

beforeAll(async () => {
  const [fal, replicate, comfyui] = await Promise.all([
    startFal({ apiKey }),
    startReplicate({ apiKey }),
    startComfyui({ apiKey }),
  ]);
  fakes = { fal, replicate, comfyui };
  const env = enginesEnv(shared().folder, {
    engines: {
      fal: at('fal', fal, { concurrent: slots }),
      replicate: at('replicate', replicate),
      comfyui: at('comfyui', comfyui),
    },
    models: { selena: [flux], quantum: [schnell], hamilton: [sdxl] },
  });
  stack = await startSharedStack({ workers: 0, ...timed({}, env) });
  wire = await startWire(stack.databaseUrl);
  worker = await stack.startWorker({ DATABASE_URL: wire.url });
});
afterEach(() => {
  for (const fake of Object.values(fakes)) {
    fake.fail(null);
    fake.release();
  }
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([wire.close(), ...Object.values(fakes).map((fake) => fake.close())]);
});

const names = Object.keys(operations) as Name[];

const storesId = /update job\s+set remote_id/;

const beforePoll = {
  'before it reads the id of the job': { statement: /from "job"/, hold: 'statement' },
  'when it has counted the submission': { statement: /insert into job/, hold: 'response' },
  'before it stores the id of the job': { statement: storesId, hold: 'statement' },
  'when it has stored the id of the job': { statement: storesId, hold: 'response' },
  'while the job runs': null,
} satisfies Record<string, Point | null>;

const afterPoll = {
  'before it stores the result': { statement: /insert into "call_result"/, hold: 'statement' },
  'when it has stored the result': { after: /insert into "call_result"/, statement: /commit/, hold: 'response' },
} satisfies Record<string, Point>;

const once = { fal: 1, replicate: 1, comfyui: 1 };

/** An artwork, and its prompt, which identifies its requests to the provider. */
interface Made {
  name: Name;
  id: string;
  prompt: string;
}

/**
 * Creates an artwork of every provider for every point, and kills the worker when each artwork has reached its point.
 * @returns the submissions of each artwork's call, by point and provider
 */
async function kill(points: Readonly<Record<string, Point | null>>) {
  // While the worker is stopped, so that each artwork can be held at its point from the start.
  process.kill(worker.pid, 'SIGSTOP');
  const made = await Promise.all(
    Object.keys(points).map(async (point): Promise<[string, Made[]]> => [
      point,
      await Promise.all(names.map(createOne)),
    ]),
  );
  const held = made.flatMap(([point, artworks]) => {
    const at = points[point];
    return at ? artworks.map(({ id }) => wire.holdAt({ ...at, about: id })) : [];
  });
  const isPolled = Object.values(points).includes(null);
  if (isPolled) for (const fake of Object.values(fakes)) fake.hold();
  process.kill(worker.pid, 'SIGCONT');
  await Promise.all(held.map(({ reached }) => reached));
  if (isPolled) {
    await eventually(() => {
      for (const [, artworks] of made)
        for (const { name } of artworks) expect(fakes[name].counts.reads).toBeGreaterThan(0);
    });
  }
  process.kill(worker.pid, 'SIGKILL');
  worker = await stack.startWorker({ DATABASE_URL: wire.url });
  for (const one of held) one.release();
  for (const fake of Object.values(fakes)) fake.release();
  for (const { id } of made.flatMap(([, artworks]) => artworks)) {
    expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
  }
  return Object.fromEntries(
    made.map(([point, artworks]) => [point, Object.fromEntries(artworks.map((one) => [one.name, submissions(one)]))]),
  );
}

async function createOne(name: Name): Promise<Made> {
  const prompt = `a boat on a lake, number ${randomUUID()}`;
  const { id } = await create(stack, { prompt, width: 256, height: 256 }, operations[name]);
  return { name, id, prompt };
}

const submissions = ({ name, prompt }: Made): number =>
  fakes[name].requests.filter(({ body }) => (JSON.stringify(body) ?? '').includes(prompt)).length;

test('killed before and during the wait for a job: the job is submitted once, or twice if its id is lost', async () => {
  expect(await kill(beforePoll)).toEqual({
    'before it reads the id of the job': once,
    'when it has counted the submission': once,
    // The provider's response is lost. Only ComfyUI knows the id that we have chosen, and its job is found again.
    'before it stores the id of the job': { fal: 2, replicate: 2, comfyui: 1 },
    'when it has stored the id of the job': once,
    'while the job runs': once,
  });
});

test('killed before and after the result is stored: the job is submitted once', async () => {
  expect(await kill(afterPoll)).toEqual({ 'before it stores the result': once, 'when it has stored the result': once });
});

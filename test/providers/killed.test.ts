/** Workers are killed at each point of submit → keep → look → store: a provider's job is submitted once. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { create, ended } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux, schnell, sdxl } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';
import { startComfyui } from '../upstreams/comfyui.ts';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

const operations = { fal: 'selena', replicate: 'quantum', comfyui: 'hamilton' } as const;
type Name = keyof typeof operations;

let fakes: Record<Name, UpstreamFake>;
let stack: Stack;
let wire: Wire;

beforeAll(async () => {
  const [fal, replicate, comfyui] = await Promise.all([
    startFal({ apiKey }),
    startReplicate({ apiKey }),
    startComfyui({ apiKey }),
  ]);
  fakes = { fal, replicate, comfyui };
  const env = enginesEnv(shared().folder, {
    engines: {
      fal: at('fal', fal, { concurrent: 2 }),
      replicate: at('replicate', replicate),
      comfyui: at('comfyui', comfyui),
    },
    models: { selena: [flux], quantum: [schnell], hamilton: [sdxl] },
  });
  stack = await startSharedStack({ env, workers: 0 });
  wire = await startWire(stack.databaseUrl);
});
afterEach(() => {
  for (const fake of Object.values(fakes)) {
    fake.fail(null);
    fake.release();
  }
  return Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([wire.close(), ...Object.values(fakes).map((fake) => fake.close())]);
});

const body = { prompt: 'a boat on a lake', width: 256, height: 256 };
const names = Object.keys(operations) as Name[];

const keepsId = /update "job" set "remote_id"/;

/** Where a worker dies, and how its provider was kept from being done before. */
const points: [string, Point | null][] = [
  ['before the job’s id is asked for', { statement: /from "job"/, hold: 'statement' }],
  ['when the submission was just counted', { statement: /insert into job/, hold: 'answer' }],
  ['when the id was just kept', { statement: keepsId, hold: 'answer' }],
  ['while the job runs', null],
  ['before the result is kept', { statement: /insert into "call_result"/, hold: 'statement' }],
  ['when the result was just kept', { after: /insert into "call_result"/, statement: /commit/, hold: 'answer' }],
];

/** An artwork of every provider, whose worker is killed when all of them have come to the point. */
async function kill(point: Point | null): Promise<Record<Name, number>> {
  const before = submissions();
  const doomed = await stack.startWorker({ DATABASE_URL: wire.url });
  const held = point && wire.holdAt(point, names.length);
  if (!point) for (const fake of Object.values(fakes)) fake.hold();
  const looks = names.map((name) => fakes[name].counts.looks);
  const ids = await Promise.all(names.map(async (name) => (await create(stack, body, operations[name])).id));
  if (held) await held.reached;
  else
    await eventually(() => names.forEach((name, nth) => expect(fakes[name].counts.looks).toBeGreaterThan(looks[nth]!)));
  process.kill(doomed.pid, 'SIGKILL');
  stack.workers.push(await stack.startWorker());
  for (const fake of Object.values(fakes)) fake.release();
  for (const id of ids) expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
  held?.release();
  const after = submissions();
  return {
    fal: after.fal - before.fal,
    replicate: after.replicate - before.replicate,
    comfyui: after.comfyui - before.comfyui,
  };
}

const submissions = (): Record<Name, number> => ({
  fal: fakes.fal.counts.submissions,
  replicate: fakes.replicate.counts.submissions,
  comfyui: fakes.comfyui.counts.submissions,
});

test.each(points)('killed %s: every job is submitted once', async (_when, point) => {
  expect(await kill(point)).toEqual({ fal: 1, replicate: 1, comfyui: 1 });
});

test('killed before the submission’s answer was kept: once more where a provider takes no key of ours', async () => {
  // ComfyUI knows the id that we have chosen, and its job is found again.
  expect(await kill({ statement: keepsId, hold: 'statement' })).toEqual({ fal: 2, replicate: 2, comfyui: 1 });
});

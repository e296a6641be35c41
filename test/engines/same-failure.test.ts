/** The same kind of failure has the same code and message on every engine: failure × task × provider or embedded. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { EngineError, type EngineCall, type InputImage } from '../../engines/contract/index.ts';
import { createLocalEngine } from '../../engines/local/index.ts';
import { photo } from '../../engines/local/test/photos.ts';
import { errors } from '../../schemas/errors.ts';
import { startFal } from '../upstreams/fal.ts';
import type { QueueFake } from '../upstreams/queue-fake.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { FakeFailure } from '../upstreams/upstream-fake.ts';
import { apiKey } from './upstream/bench.ts';
import { type ExampleEngine, openExample } from './upstream/example-engine.ts';

type Run = ExampleEngine['run'];
type Call = Parameters<Run>[0];
const names = ['embedded', 'fal', 'replicate'] as const;
type Name = (typeof names)[number];

const local = createLocalEngine({ threads: 1 });
const fakes: Partial<Record<Name, QueueFake>> = {};
const engines: Partial<Record<Name, ExampleEngine>> = {
  embedded: {
    async run(call) {
      const options = { signal: AbortSignal.timeout(50_000) };
      return [...((await local.run({ ...call, idempotencyKey: 'art_1/image-1' } as EngineCall, options)).images ?? [])];
    },
    close: () => local.close(),
  },
};

beforeAll(async () => {
  fakes.fal = await startFal({ apiKey });
  fakes.replicate = await startReplicate({ apiKey });
  for (const name of ['fal', 'replicate'] as const) engines[name] = await openExample(name, fakes[name]!.url);
});
afterEach(() => Object.values(fakes).forEach((fake) => fake.fail(null)));
afterAll(async () => {
  await Promise.all([...Object.values(engines), ...Object.values(fakes)].map((each) => each.close()));
});

/** A photo of a cup: without a face, and without a giraffe. */
async function cup(): Promise<InputImage> {
  const bytes = await sharp(await photo('coffee'))
    .resize(300, 200)
    .png()
    .toBuffer();
  return { bytes, contentType: 'image/png', width: 300, height: 200 };
}

const common = { nsfw: false, outputFormat: 'png' } as const;
const calls = {
  'refine-face': async () => ({
    model: 'face-natural',
    task: 'refine-face',
    params: { image: await cup(), ...common },
  }),
  'swap-face': async () => {
    const image = await cup();
    return { model: 'face-swap', task: 'swap-face', params: { source: image, target: image, ...common } };
  },
  segment: async () => ({
    model: 'segmentation',
    task: 'segment',
    params: { image: await cup(), prompt: 'a giraffe', points: null, ...common },
  }),
  upscale: async () => ({
    model: 'upscaling',
    task: 'upscale',
    params: { image: { ...(await cup()), width: 9000, height: 6000 }, scale: 4, ...common },
  }),
} satisfies Record<string, () => Promise<Call>>;
type Task = keyof typeof calls;

/** Returns the code and the message that the client reads. */
async function outcome(name: Name, task: Task): Promise<[code: string, message: string]> {
  const error = await engines[name]!.run((await calls[task]()) as Call).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EngineError)) throw new Error(`${name} fails with ${String(error)}`);
  return [error.code, error.publicMessage ?? errors[error.code].message];
}

test.each<[FakeFailure | null, Task, string, RegExp, readonly Name[]]>([
  ['no-face', 'refine-face', 'face_not_found', /^No face was found in the image\.$/, names],
  // fal's example binds no model to it. Replicate does not say which image has no face.
  [
    'no-face',
    'swap-face',
    'face_not_found',
    /^No face was found in (one of|the source and) the.* images\.$/,
    ['embedded', 'replicate'],
  ],
  ['nothing-found', 'segment', 'input_invalid', /^Nothing in the image matches "a giraffe"\.$/, names],
  [null, 'upscale', 'input_invalid', /^No result may have more than 64 megapixels\..* 9000×6000/, names],
])('%s · %s: %s', async (failure, task, code, message, on) => {
  const messages = new Set<string>();
  for (const name of on) {
    fakes[name]?.fail(failure);
    const [found, words] = await outcome(name, task);
    expect([name, found, words]).toEqual([name, code, expect.stringMatching(message)]);
    messages.add(words);
  }
  // Only the embedded engine knows which image has no face.
  if (task !== 'swap-face') expect(messages.size).toBe(1);
});

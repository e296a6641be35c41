/** The checks that a provider's engine makes before it sends a request: supported fields and the size of the result. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EngineCall } from '../../../engines/contract/index.ts';
import { compileMapping } from '../../../engines/upstream/mapping.ts';
import { operation } from '../../../schemas/operations/style-dna/generate-asset.ts';
import { startFal } from '../../upstreams/fal.ts';
import type { UpstreamFake } from '../../upstreams/upstream-fake.ts';
import { params } from '../../../engines/local/test/ask.ts';
import { apiKey, image } from './bench.ts';
import { type ExampleEngine, openExample } from './example-engine.ts';
import { bindingsIn } from './examples.ts';

let fake: UpstreamFake;
let engine: ExampleEngine;

beforeAll(async () => {
  fake = await startFal({ apiKey });
  engine = await openExample('fal', fake.url, { careful: { as: 'quantum', nsfw: false } });
});
afterAll(async () => {
  await engine.close();
  await fake.close();
});

const run: ExampleEngine['run'] = (call) => engine.run(call);

/** Returns the parameters of the drawing whose background the next stage of a transparent asset removes. */
function drawingOfAsset(): Record<string, unknown> {
  const request = {
    styleDnaId: 'sty_1',
    prompt: 'a fox',
    backgroundMode: 'transparent',
    nsfw: false,
    seed: 7,
  } as const;
  const input = operation.complete({ ...request, metadata: {}, outputFormat: 'png', width: 512, height: 512 }, () => 7);
  return { ...operation.plan(input, null).stages[0]!.calls[0]!.params };
}

test.each(['all-fal.json', 'all-replicate.json', 'own-comfyui.json', 'all-openai.json', 'mixed.json'])(
  '%s accepts the drawing for a transparent asset',
  async (file) => {
    const bindings = (await bindingsIn(file)).filter(({ name }) => name === 'style-dna');
    expect(bindings.length).toBeGreaterThan(0);
    for (const { task, input } of bindings) {
      expect(compileMapping(task, input).refuses(drawingOfAsset())).toEqual([]);
    }
  },
);

test('a model without transparency draws an asset with a background, and rejects a call that requires transparency', async () => {
  const drawing = params(drawingOfAsset());
  const drawn = await run({ model: 'style-dna', task: 'text-to-image', params: drawing });
  expect(drawn).toEqual([expect.objectContaining({ width: 512, height: 512, contentType: 'image/png' })]);
  const before = fake.counts.submissions;
  const { backgroundMayStay: _, ...demand } = drawing;
  await expect(run({ model: 'style-dna', task: 'text-to-image', params: demand })).rejects.toMatchObject({
    code: 'input_invalid',
    publicMessage: expect.stringContaining('"transparentBackground"') as unknown,
  });
  expect(fake.counts.submissions).toBe(before);
});

test('a model that refuses "nsfw": true gets no such request', async () => {
  const call = { model: 'careful', task: 'text-to-image' } as const;
  const before = fake.requests.length;
  const refused = run({ ...call, params: params({ width: 512, height: 512, nsfw: true }) });
  await expect(refused).rejects.toMatchObject({
    code: 'content_refused',
    message: 'fal refuses requests with nsfw: true',
  });
  expect(fake.requests).toHaveLength(before);
  expect(await run({ ...call, params: params({ width: 512, height: 512, nsfw: false }) })).toHaveLength(1);
});

const common = { nsfw: false, outputFormat: 'png' } as const;
const sharpen = { model: 'detailer-upscaler', task: 'sharpen-detail' } as const;
const limitMessage = 'No result may have more than 64 megapixels. The image is';

test.each<[string, { width: number; height: number }, object, string]>([
  [
    '×4',
    { width: 5000, height: 5000 },
    { scale: 4 },
    `${limitMessage} 5000×5000 pixels: the scale 2 allows at most 16 megapixels`,
  ],
  ['×4 where ×2 fits', { width: 3000, height: 2000 }, { scale: 4 }, 'the largest scale that fits is 2.'],
  ['×2 with detail', { width: 5000, height: 5000 }, { ...sharpen, scale: 2, detail: 0.5 }, `${limitMessage} 5000×5000`],
  [
    'a side too long for its format',
    { width: 8500, height: 200 },
    { scale: 2, outputFormat: 'webp' },
    'The result would have 17000×400 pixels, and the limit of webp is 16383 per side. Use png.',
  ],
  [
    'a picture that is not enlarged',
    { width: 17_000, height: 200 },
    { model: 'remove-background', task: 'remove-background', outputFormat: 'webp' },
    'The result would have 17000×200 pixels',
  ],
])('%s: rejects a result that is too large, before it is paid for', async (_name, size, fields, words) => {
  const { model = 'upscaling', task = 'upscale', ...rest } = fields as Partial<EngineCall>;
  const given = { ...common, image: { ...(await image()), ...size }, ...rest };
  const before = fake.requests.length;
  const call = { model, task, params: given } as unknown as EngineCall;
  await expect(run(call)).rejects.toMatchObject({
    code: 'input_invalid',
    publicMessage: expect.stringContaining(words) as unknown,
  });
  expect(fake.requests).toHaveLength(before);
});

test('requests a result of the maximum size', async () => {
  const call = { model: 'upscaling', task: 'upscale' } as const;
  await run({ ...call, params: { ...common, image: await image(), scale: 4 } });
  expect(fake.requests.map(({ path }) => path)).toContain('/fal-ai/esrgan');
});

/** What an engine of a provider makes of a call before the provider is asked: what it draws, and what it refuses unpaid. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOutbound } from '../../../activities/outbound.ts';
import type { Engine, EngineCall, EngineImage } from '../../../engines/engine.ts';
import { compileMapping } from '../../../engines/upstream/mapping.ts';
import { fal } from '../../../engines/upstream/fal.ts';
import { bindModel, openEngine, type ProviderModel } from '../../../engines/upstream/open.ts';
import { operation } from '../../../schemas/operations/style-dna/generate-asset.ts';
import { startFal } from '../../upstreams/fal.ts';
import type { UpstreamFake } from '../../upstreams/upstream-fake.ts';
import { params } from '../local/ask.ts';
import { apiKey } from './bench.ts';
import { bindingsIn } from './examples.ts';

const outbound = createOutbound(['127.0.0.1']);
let fake: UpstreamFake;
let engine: Engine;

beforeAll(async () => {
  fake = await startFal({ apiKey });
  const models: Record<string, ProviderModel> = {};
  for (const { name, task, ...entry } of await bindingsIn('all-fal.json')) {
    models[name] = await bindModel(fal, { task, entry, folder: '/' });
  }
  const entry = { protocol: 'fal', baseUrl: fake.url } as const;
  engine = await openEngine({ name: 'fal', protocol: fal, entry, apiKey, models });
});
afterAll(async () => {
  await engine.close();
  await fake.close();
  await outbound.close();
});

async function run(call: Omit<EngineCall, 'idempotencyKey'>): Promise<EngineImage[]> {
  const { images = [] } = await engine.run({ ...call, idempotencyKey: 'art_1/image-1' } as EngineCall, {
    signal: AbortSignal.timeout(30_000),
    remote: {
      ...{ job: null, timeout: 30_000, now: Date.now },
      enter: () => Promise.resolve(),
      keep: (id) => Promise.resolve({ id, submittedAt: Date.now(), submissions: 1 }),
      drop: () => Promise.resolve(),
      download: (url, limit, signal) => outbound.get(url, { limit, signal, timeout: 5000 }),
    },
  });
  return [...images];
}

/** The drawing of which the next stage of a transparent asset removes the background. */
function drawingOfAsset(): Record<string, unknown> {
  const request = { styleDnaId: 'sty_1', prompt: 'a fox', backgroundMode: 'transparent', nsfw: false, seed: 7 };
  const input = operation.complete({ ...request, outputFormat: 'png', width: 512, height: 512 }, () => 7);
  return operation.plan(input, null).stages[0]!.calls[0]!.params;
}

test.each(['all-fal.json', 'all-replicate.json', 'own-comfyui.json', 'all-openai.json', 'mixed.json'])(
  '%s draws an asset that is to lose its background',
  async (file) => {
    const bindings = (await bindingsIn(file)).filter(({ name }) => name === 'style-dna');
    expect(bindings.length).toBeGreaterThan(0);
    for (const { task, input } of bindings) {
      expect(compileMapping(task, input).refuses(drawingOfAsset())).toEqual([]);
    }
  },
);

test('an asset is drawn with a background where the model knows no other way, and a transparent picture is refused', async () => {
  const drawing = params(drawingOfAsset());
  const drawn = await run({ model: 'style-dna', task: 'text-to-image', params: drawing });
  expect(drawn).toEqual([expect.objectContaining({ width: 512, height: 512, contentType: 'image/png' })]);
  const asked = fake.counts.submissions;
  const { backgroundMayStay: _, ...demand } = drawing;
  await expect(run({ model: 'style-dna', task: 'text-to-image', params: demand })).rejects.toMatchObject({
    code: 'input_invalid',
    publicMessage: expect.stringContaining('"transparentBackground"') as unknown,
  });
  expect(fake.counts.submissions).toBe(asked);
});

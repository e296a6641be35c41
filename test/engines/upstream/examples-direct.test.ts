/** Default templates and example files of direct providers: protocol and provider accept each filled template. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { google } from '../../../engines/upstream/google/protocol.ts';
import { openaiCompatible } from '../../../engines/upstream/openai-compatible/protocol.ts';
import { openai } from '../../../engines/upstream/openai/protocol.ts';
import type { Protocol, ProviderRequest } from '../../../engines/upstream/provider.ts';
import type { Task } from '../../../schemas/tasks.ts';
import type { DirectFake } from '../../upstreams/direct-fake.ts';
import { startGoogle } from '../../upstreams/google.ts';
import { startOpenAiImages } from '../../upstreams/openai-images.ts';
import { apiKey, connect, measure, picture, request, run } from './direct.ts';

const protocols: Record<string, Protocol> = { openai, google, 'openai-compatible': openaiCompatible };
const models: Record<string, string> = {
  ...{ openai: 'gpt-image-2.5-flare', google: 'gemini-3.1-flash-image', 'openai-compatible': 'flux.1-dev' },
};
const fakes: Record<string, DirectFake> = {};
let fields: Record<string, unknown>;

beforeAll(async () => {
  const images = await startOpenAiImages({ apiKey });
  Object.assign(fakes, { openai: images, 'openai-compatible': images, google: await startGoogle({ apiKey }) });
  const [image, mask] = await Promise.all([picture(320, 240), picture(80, 60)]);
  fields = {
    ...{ styledPrompt: 'a garden', negativePrompt: 'people', styledInstruction: 'add a bench', strength: 0.6 },
    ...{ image, mask, size: '1024x768', aspectRatio: '4:3', seed: 7, nsfw: 'true', outputFormat: 'webp' },
    transparentBackground: 'true',
  };
});
afterAll(() => Promise.all([fakes['openai']?.close(), fakes['google']?.close()]));

interface Reference {
  from: string;
  values?: Record<string, unknown>;
  nearest?: unknown[];
}

/** Fills a template like `mapping.ts`, without its checks. */
function filled(template: unknown): unknown {
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template)) return template.map(filled);
  if (!('from' in template)) {
    return Object.fromEntries(Object.entries(template).map(([name, inner]) => [name, filled(inner)]));
  }
  const { from, values, nearest } = template as Reference;
  expect(Object.keys(fields)).toContain(from);
  return nearest?.at(-1) ?? values?.[fields[from] as string] ?? fields[from];
}

async function draws(name: string, request: ProviderRequest): Promise<void> {
  const [protocol, fake] = [protocols[name], fakes[name]];
  if (!protocol || !fake) throw new Error(`No protocol ${name}`);
  const provider = connect(protocol, fake.url);
  const { images } = await run(provider, request);
  expect((await measure(images[0])).width).toBeGreaterThan(600);
  await provider.close();
}

const templates = Object.entries(protocols).flatMap(([name, { defaultMapping = {} }]) =>
  Object.entries(defaultMapping).map(([task, template]) => [name, task as Task, template] as const),
);

test.each(templates)('%s draws with its default template for %s', async (name, task, template) => {
  await draws(name, request(models[name] ?? '', filled(template) as object, task));
});

interface Example {
  engines: Record<string, { protocol: string; key: string }>;
  models: Record<string, { engine: string; model?: string; input?: object }[]>;
}

const ours = [
  ...['selena', 'quantum', 'hamilton', 'style-dna', 'selena-variete', 'photo-pilot', 'face-clarity', 'face-natural'],
  ...['face-portrait', 'face-swap', 'upscaling', 'detailer-upscaler', 'remove-background', 'segmentation'],
  ...['depth-map', 'seer', 'stylist', 'textcraft'],
];

describe.each(['all-openai', 'mixed'])('%s', (name) => {
  const example = JSON.parse(
    readFileSync(new URL(`../../../docs/engines/${name}.json`, import.meta.url), 'utf8'),
  ) as Example;

  test('binds all our models to the engines that it names', () => {
    expect(Object.keys(example.models).sort()).toEqual([...ours].sort());
    const named = Object.values(example.models).flatMap((bindings) => bindings.map(({ engine }) => engine));
    expect(new Set(named)).toEqual(new Set([...Object.keys(example.engines), 'local']));
  });

  const mapped = Object.entries(example.models).flatMap(([ourName, bindings]) =>
    bindings
      .filter(({ engine, input }) => input && protocols[example.engines[engine]?.protocol ?? ''])
      .map(({ engine, model = '', input }) => [ourName, engine, model, input] as const),
  );

  test.each(mapped)('draws %s with %s', async (_, engine, model, input) => {
    await draws(engine, request(model, filled(input) as object));
  });
});

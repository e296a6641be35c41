/** The operator's engines file: its bindings, and its mistakes with their lines. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createCatalogue } from '../../engines/catalogue.ts';
import { embedded } from '../../engines/embedded.ts';
import { readEngines } from '../../engines/read.ts';
import type { EnginesFile } from '../../schemas/engines-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-engines-'));
const keys: Record<string, string> = { FAL_KEY: 'one', OPENAI_API_KEY: 'two' };

function read(text: string) {
  const file = join(folder, 'engines.json');
  writeFileSync(file, text);
  return readEngines(file, embedded(), (variable) => keys[variable]);
}

const flux = { engine: 'fal', model: 'fal-ai/flux/dev', input: { prompt: { from: 'styledPrompt' } } };
const good: EnginesFile = {
  engines: {
    fal: { protocol: 'fal', key: 'FAL_KEY', rate: { perSecond: 5, concurrent: 10 } },
    openai: { protocol: 'openai', key: 'OPENAI_API_KEY' },
  },
  models: {
    selena: [
      { ...flux, timeout: '90s', priceClass: 'standard' },
      { engine: 'openai', model: 'gpt-image-1' },
      { engine: 'local' },
    ],
    quantum: [{ ...flux, rate: { perSecond: 1 } }],
    textcraft: [{ engine: 'openai', model: 'gpt-4.1-mini' }],
    upscaling: [{ engine: 'local' }],
  },
  deadlines: { selena: '10m' },
};

test('binds models in order, with limits and deadlines, and all other models to embedded engines', async () => {
  const bindings = await read(JSON.stringify(good, null, 2));
  const catalogue = createCatalogue(bindings, embedded());
  const engines = (model: string, isTest?: boolean) =>
    catalogue.model(model, isTest).bindings.map(({ engine }) => engine);
  expect(engines('selena')).toEqual(['fal', 'openai', 'local']);
  expect(engines('quantum')).toEqual(['fal.quantum']);
  expect(engines('textcraft')).toEqual(['openai']);
  expect(engines('upscaling')).toEqual(['local-large']);
  expect(engines('hamilton')).toEqual(['local']);
  expect(catalogue.model('selena')).toMatchObject({ deadline: 600_000, bindings: [{ timeout: 90_000 }, {}, {}] });
  expect(catalogue.engines.get('fal')).toMatchObject({ concurrency: 10, limits: { perSecond: 5, concurrent: 10 } });
  expect(catalogue.engines.get('fal.quantum')).toMatchObject({ limits: { perSecond: 1 } });
  // Whatever is bound, test keys cost nothing.
  expect(engines('selena', true)).toEqual(['local']);
  expect(engines('textcraft', true)).toEqual(['rules']);
});

test('a binding with "nsfw": false refuses only requests that allow such content', async () => {
  const { models } = await read(changed('/models/selena/0/nsfw', false));
  const [fal, openai] = models['selena']!.bindings;
  const params = { prompt: 'a fox', width: 1024, height: 1024, outputFormat: 'png' };
  expect([true, false].map((nsfw) => fal!.refuses?.({ ...params, nsfw }))).toEqual([['nsfw'], []]);
  expect(openai!.refuses?.({ ...params, nsfw: true })).toEqual([]);
});

test('applies a deadline to an embedded model that the file does not bind, but not to test keys', async () => {
  const ours = embedded();
  const catalogue = createCatalogue(await read(changed('/deadlines/seer', '6h')), ours);
  expect(catalogue.model('seer')).toMatchObject({ deadline: 6 * 3600_000, bindings: [{ engine: 'rules' }] });
  expect(catalogue.model('seer', true).deadline).toBeUndefined();
  expect(catalogue.model('stylist').deadline).toBeUndefined();
});

test('a binding returns the fields that its mapping does not support', async () => {
  const { models } = await read(JSON.stringify(good));
  const [fal, , local] = models['selena']!.bindings;
  expect(fal?.refuses?.({ prompt: 'a', negativePrompt: 'b' })).toEqual(['negativePrompt']);
  expect(local?.refuses).toBeUndefined();
});

/** Returns the valid file with one value replaced, or removed. */
function changed(pointer: string, value?: unknown): string {
  const file = structuredClone(good) as Record<string, unknown>;
  const parts = pointer.split('/').slice(1);
  const last = parts.pop() ?? '';
  const holder = parts.reduce((inner, part) => inner[part] as Record<string, unknown>, file);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return JSON.stringify(file, null, 2);
}

test.each<[string, string, RegExp]>([
  ['no JSON', '{"engines": {', /engines\.json:1 /],
  ['a list', '[]', /engines\.json:1 .*object/],
  ['an empty object', '{}', /\/engines is missing\n.*\/models is missing/],
  [
    'an unknown field',
    '{\n"engines": {},\n"models": {},\n"modles": {}\n}',
    /json:4 \/modles is not known; known fields: /,
  ],
  [
    'a name that no engine can have',
    changed('/engines/Fal', good.engines['fal']),
    /json:\d+ \/engines\/Fal has an invalid name\. Expected: Providers, under names of up to 40 lower-case letters/,
  ],
  ['an unknown protocol', changed('/engines/fal/protocol', 'midjourney'), /json:4 .*one of: openai, .*comfyui/],
  ['a key in the file', changed('/engines/fal/key', 'sk-123'), /json:5 \/engines\/fal\/key must match/],
  [
    'a key that is not set',
    changed('/engines/fal/key', 'NO_KEY'),
    /json:5 .*the environment variable NO_KEY is not set/,
  ],
  ['no key', changed('/engines/fal/key'), /\/engines\/fal has no "key"/],
  [
    'the name of an embedded engine',
    changed('/engines/local', { protocol: 'fal' }),
    /\/engines\/local is the name of an embedded/,
  ],
  [
    'an unknown engine',
    changed('/models/selena/1/engine', 'openia'),
    /json:\d+ \/models\/selena\/1\/engine there is no engine "openia"/,
  ],
  ['an unknown model', changed('/models/selina', [flux]), /\/models\/selina is not a known model/],
  ['a binding without a model', changed('/models/selena/0/model'), /\/models\/selena\/0 has no "model"/],
  ['a binding without an input', changed('/models/selena/0/input'), /\/models\/selena\/0 has no "input"/],
  ['an input without a prompt', changed('/models/selena/0/input', {}), /does not use "prompt"/],
  ['the same engine twice', changed('/models/selena/3', flux), /\/models\/selena\/3 has the same engine twice/],
  ['a duration without a unit', changed('/models/selena/0/timeout', '90'), /timeout must look like 90s or 3m/],
  ['an empty rate', changed('/engines/fal/rate', {}), /rate must have at least 1 field/],
  [
    'a task that the protocol does not support',
    changed('/models/textcraft', [flux]),
    /the protocol fal has no language models/,
  ],
  [
    'a language model that refuses "nsfw": true',
    changed('/models/textcraft/0/nsfw', false),
    /\/models\/textcraft\/0 has "nsfw", which is for image models/,
  ],
  [
    'a size of images at a language model',
    changed('/models/textcraft/0/maxInputPixels', 9),
    /\/models\/textcraft\/0 has "maxInputPixels", which is for image models/,
  ],
  [
    'a setting for providers at "local"',
    changed('/models/selena/2/maxInputPixels', 9),
    /\/models\/selena\/2\/maxInputPixels is only for providers/,
  ],
  ['a deadline of an unknown model', changed('/deadlines/selina', '5m'), /\/deadlines\/selina is not a known model/],
  [
    'a deadline of a model named like a property of every object',
    changed('/deadlines/constructor', '5m'),
    /\/deadlines\/constructor is not a known model/,
  ],
  ['a deadline that is too long', changed('/deadlines/selena', '361m'), /\/deadlines\/selena is more than 6h/],
  [
    'a deadline of an embedded model that is too long',
    changed('/deadlines/seer', '7h'),
    /json:\d+ \/deadlines\/seer is more than 6h/,
  ],
])('reports %s with its place in the file', async (_name, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('reports a missing file', async () => {
  await expect(readEngines(join(folder, 'none.json'), embedded(), () => undefined)).rejects.toThrow(
    /none\.json cannot be read \(ENOENT\)/,
  );
});

const examples = new URL('../../docs/engines/', import.meta.url);

test.each(readdirSync(examples).filter((name) => name.endsWith('.json') && name !== 'schema.json'))(
  'accepts the example %s unchanged',
  async (name) => {
    const file = new URL(name, examples);
    const bindings = await readEngines(file.pathname, embedded(), () => 'a-key');
    createCatalogue(bindings);
    expect(readFileSync(file, 'utf8')).toContain('"$schema"');
  },
);

/** Instructions for edits, read by a language model over real HTTP and performed by the embedded engine. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EditImage, Engine, EngineError } from '../../../engines/contract/index.ts';
import { createCatalogue } from '../../../engines/catalogue.ts';
import { embedded } from '../../../engines/embedded.ts';
import { pixels, type Pixels } from '../../../engines/local/test/ask.ts';
import sharp from 'sharp';
import { completion, type OpenAiChat, refusal, type Reply, startOpenAiChat } from '../../upstreams/openai-chat.ts';

let upstream: OpenAiChat;
let engine: Engine;
let catalogue: ReturnType<typeof createCatalogue>;
let image: EditImage['image'];

beforeAll(async () => {
  upstream = await startOpenAiChat({ model: 'reader' });
  catalogue = createCatalogue(embedded({ baseUrl: upstream.url, model: 'reader', timeout: 2_000 }), embedded());
  engine = await catalogue.engine(catalogue.model('photo-pilot').bindings[0]!.engine);
  const flat = sharp({ create: { width: 64, height: 48, channels: 3, background: '#808080' } });
  image = { bytes: await flat.png().toBuffer(), contentType: 'image/png', width: 64, height: 48 };
});
afterAll(async () => {
  await catalogue.close();
  await upstream.close();
});

async function edited(instruction: string, using = engine): Promise<Pixels & { model: string }> {
  const params: EditImage = {
    image,
    instruction,
    mask: null,
    aspectRatio: null,
    seed: 1,
    nsfw: true,
    outputFormat: 'png',
  };
  const call = { model: 'photo-pilot', idempotencyKey: 'art_1-edit', task: 'edit-image' as const, params };
  const { model, images = [] } = await using.run(call, { signal: AbortSignal.timeout(30_000) });
  return { model, ...(await pixels(images[0]!)) };
}

async function failure(instruction: string): Promise<EngineError> {
  return edited(instruction).then(
    () => Promise.reject(new Error('The call succeeded')),
    (error: unknown) => error as EngineError,
  );
}

const listed = (...edits: object[]): Reply => completion(JSON.stringify({ edits }));

test('performs the edits that the model lists, and receives the schema and the instruction', async () => {
  upstream.reply(listed({ kind: 'exposure', stops: 1 }, { kind: 'crop', ratio: '1:1' }));
  const made = await edited('etwas heller, bitte, und quadratisch');
  expect([made.model, made.width, made.height]).toEqual(['local/darkroom', 48, 48]);
  expect(made.data[0]).toBeGreaterThan(140);
  const said = JSON.stringify(upstream.requests.at(-1)?.body.messages);
  expect(said).toContain('etwas heller, bitte, und quadratisch');
  expect(said).toContain('saturation');
});

test.each<[string, Reply]>([
  ['an empty list', listed()],
  ['an unknown edit', listed({ kind: 'teleport' })],
  ['an amount out of range', listed({ kind: 'contrast', amount: 900 })],
  ['no JSON', completion('I would make it brighter.')],
  ['no text', completion('')],
])('%s leaves the instruction to the embedded rules', async (_, reply) => {
  upstream.reply(reply);
  expect((await edited('make it brighter')).data[0]).toBeGreaterThan(140);
  expect(await failure('let her sing')).toMatchObject({
    code: 'input_invalid',
    publicMessage: expect.stringContaining('brighten or darken'),
  });
});

test('a noun that the detectors do not know is rejected', async () => {
  upstream.reply(listed({ kind: 'remove', where: { noun: 'zeppelin' } }));
  expect(await failure('remove the zeppelin')).toMatchObject({
    code: 'input_invalid',
    publicMessage: expect.stringContaining('zeppelin'),
  });
});

const problem = { message: 'no', type: 'server_error', param: null, code: null };

test.each<[string, Reply, string]>([
  ['an overloaded provider', refusal(503, problem), 'provider_unavailable'],
  ['a rate limit', refusal(429, { ...problem, code: 'rate_limit_exceeded' }), 'provider_unavailable'],
  ['a provider that does not respond', { kind: 'silence' }, 'provider_timeout'],
  ['a rejected request', refusal(400, problem), 'provider_rejected'],
  ['refused content', completion(null, { refusal: 'No.' }), 'content_refused'],
])('%s fails the call, although the rules could read the instruction', async (_, reply, code) => {
  upstream.reply(reply);
  expect(await failure('make it brighter')).toMatchObject({ name: 'EngineError', code });
});

test('calls with test keys use no language model', async () => {
  upstream.requests.length = 0;
  const binding = catalogue.model('photo-pilot', true).bindings[0]!;
  expect((await edited('make it brighter', await catalogue.engine(binding.engine))).data[0]).toBeGreaterThan(140);
  expect(upstream.requests).toEqual([]);
});

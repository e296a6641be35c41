/** Servers compatible with OpenAI's image API: requests, links in responses, and failures. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openaiCompatible } from '../../../../engines/upstream/openai-compatible/protocol.ts';
import type { DirectFake } from '../../../upstreams/direct-fake.ts';
import { startOpenAiImages } from '../../../upstreams/openai-images.ts';
import { testDirectProtocol } from '../direct-failures.ts';
import { apiKey, bench, connect, failure, measure, picture, request, run, expectedFailure } from '../direct.ts';

const at = bench(openaiCompatible, () => startOpenAiImages({ apiKey }));
const model = 'flux.1-dev';
const prompt = 'a secret garden behind the villa';
const providerOptions = { openaiCompatible: { response_format: 'b64_json', seed: 7, step: 25 } };

const sent = () => at.fake.requests.at(-1)?.body as Record<string, unknown>;

describe('successful requests', () => {
  test('text-to-image, with options of any name', async () => {
    const input = {
      prompt,
      size: '1344x768',
      providerOptions: { openaiCompatible: { lora: [{ id: 'ink' }], step: 25 } },
    };
    const { images } = await run(at.provider, request(model, input));
    expect(at.fake.requests.at(-1)).toMatchObject({
      path: '/v1/images/generations',
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(sent()).toEqual({ model, prompt, n: 1, size: '1344x768', lora: [{ id: 'ink' }], step: 25 });
    expect(await measure(images[0])).toMatchObject({ format: 'png', width: 1344, height: 768 });
  });

  test('edit-image, with a mask', async () => {
    const [image, mask] = await Promise.all([picture(128, 96), picture(64, 48)]);
    const input = { prompt: 'Add a bench', images: [image], mask, providerOptions };
    await run(at.provider, request(model, input, 'edit-image'));
    expect(at.fake.requests.at(-1)?.path).toBe('/v1/images/edits');
    expect(sent()).toMatchObject({ model, prompt: 'Add a bench', response_format: 'b64_json', seed: '7', step: '25' });
    expect(await measure(new Uint8Array(await (sent()['mask'] as Blob).arrayBuffer()))).toMatchObject({
      ...{ width: 128, height: 96, hasAlpha: true },
    });
  });

  test('sends no key to a server that needs none', async () => {
    const home = await startOpenAiImages();
    const provider = openaiCompatible.connect({ name: 'house', baseUrl: home.url, apiKey: undefined });
    if (provider.kind !== 'direct') throw new Error('The provider is not a direct provider');
    await provider.ping(new AbortController().signal);
    await run(provider, request(model, { prompt }));
    expect(home.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined]);
    await provider.close();
    await home.close();
  });
});

describe('a server that returns links', () => {
  let server: DirectFake;
  beforeAll(async () => void (server = await startOpenAiImages({ respondsWithLinks: true })));
  afterAll(() => server.close());

  test('returns the links without downloading them', async () => {
    const provider = connect(openaiCompatible, server.url);
    const { images } = await run(provider, request(model, { prompt }));
    expect(images).toEqual([`${server.url}/files/0.png`]);
    expect(server.counts).toMatchObject({ submissions: 1, reads: 0 });
    expect((await fetch(images[0] as string)).headers.get('content-type')).toBe('image/png');
    await provider.close();
  });

  test('returns data URIs unchanged', async () => {
    const url = `data:image/png;base64,${Buffer.from((await picture(64, 64)).bytes).toString('base64')}`;
    at.fake.reply({ status: 200, body: { data: [{ url }] } });
    expect((await run(at.provider, request(model, { prompt }))).images).toEqual([url]);
  });

  test('rejects a link to a private address of another host', async () => {
    at.fake.fail('private-link');
    expect(await failure(at.provider, run(at.provider, request(model, { prompt })))).toMatchObject(
      expectedFailure('forbidden-link'),
    );
  });

  test('returns a dead link without checking it', async () => {
    at.fake.fail('dead-link');
    const { images } = await run(at.provider, request(model, { prompt }));
    expect(images).toEqual([`${at.fake.url}/files/gone.png`]);
    expect((await fetch(images[0] as string)).status).toBe(404);
  });
});

test.each<[string, object]>([
  ['/seed', { prompt, seed: 7 }],
  ['/negativePrompt', { prompt, negativePrompt: 'people' }],
  ['/providerOptions/openai', { prompt, providerOptions: { openai: {} } }],
])('rejects %s before it sends a request', async (path, input) => {
  const failed = await failure(at.provider, run(at.provider, request(model, input)));
  expect(failed).toMatchObject({
    code: 'provider_rejected',
    message: `house does not support ${path}. Change "input".`,
  });
  expect(at.fake.requests).toEqual([]);
});

test('rejects an object in a form', async () => {
  const input = { prompt, images: [await picture(64, 64)], providerOptions: { openaiCompatible: { lora: {} } } };
  const failed = await failure(at.provider, run(at.provider, request(model, input, 'edit-image')));
  expect(failed.message).toBe('house does not support /providerOptions/openaiCompatible/lora. Change "input".');
});

test('requires an address', () => {
  expect(() => openaiCompatible.connect({ name: 'house', baseUrl: undefined, apiKey })).toThrow(
    'The engine house has no "baseUrl"',
  );
});

describe('failures', () => {
  testDirectProtocol(at, openaiCompatible, request(model, { prompt, size: '1024x1024' }));

  test('reads a status 429 in the body of a response with status 200', async () => {
    at.fake.reply({ status: 200, body: { error: { message: 'x', code: 429 } } });
    expect(await failure(at.provider, run(at.provider, request(model, { prompt })))).toMatchObject(
      expectedFailure('rate-limited'),
    );
  });
});

/** OpenAI's image API: the request of each task, and failures. */
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createOpenAI } from '@ai-sdk/openai';
import { writing } from '../../../../schemas/writing.ts';
import { openConnection } from '../../../../engines/upstream/connection.ts';
import { openai } from '../../../../engines/upstream/openai/protocol.ts';
import { sdkProvider } from '../../../../engines/upstream/sdk-provider.ts';
import { completion, startOpenAiChat } from '../../../upstreams/openai-chat.ts';
import { startOpenAiImages } from '../../../upstreams/openai-images.ts';
import { testDirectProtocol } from '../direct-failures.ts';
import { apiKey, bench, connect, failure, measure, picture, request, run, expectedFailure } from '../direct.ts';

const at = bench(openai, () => startOpenAiImages({ apiKey }));
const model = 'gpt-image-2.5-sunburst';
const prompt = 'a secret garden behind the villa';
const options = { outputFormat: 'webp', moderation: 'low' };

const sent = () => at.fake.requests.at(-1)?.body as Record<string, unknown>;

describe('successful requests', () => {
  test('text-to-image', async () => {
    const providerOptions = { openai: { ...options, background: 'transparent', quality: 'high' } };
    const input = { prompt, negativePrompt: 'people', size: '1536x1024', providerOptions };
    const { images } = await run(at.provider, request(model, input));
    expect(at.fake.requests.at(-1)).toMatchObject({
      path: '/v1/images/generations',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    });
    expect(sent()).toEqual({
      model,
      prompt: `${prompt}\n\nDo not show: people`,
      n: 1,
      size: '1536x1024',
      background: 'transparent',
      quality: 'high',
      moderation: 'low',
      output_format: 'webp',
    });
    expect(images).toHaveLength(1);
    expect(await measure(images[0])).toMatchObject({ format: 'webp', width: 1536, height: 1024, hasAlpha: true });
  });

  test('edit-image: resizes the mask to the image, and makes its white part transparent', async () => {
    const image = await picture(300, 200, 'jpeg');
    const white = await sharp({ create: { width: 75, height: 100, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const bytes = await sharp({ create: { width: 150, height: 100, channels: 3, background: '#000' } })
      .composite([{ input: white, left: 75, top: 0 }])
      .png()
      .toBuffer();
    const mask = { bytes: new Uint8Array(bytes), contentType: 'image/png', width: 150, height: 100 };
    const input = { prompt: 'Add a bench', images: [image], mask, size: 'auto', providerOptions: { openai: options } };
    const { images } = await run(at.provider, request(model, input, 'edit-image'));
    expect(at.fake.requests.at(-1)?.path).toBe('/v1/images/edits');
    expect(sent()).toMatchObject({ model, prompt: 'Add a bench', n: '1', size: 'auto', moderation: 'low' });
    const { image: file, mask: alpha } = sent() as { image: Blob; mask: Blob };
    expect(file.type).toBe('image/jpeg');
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(image.bytes);
    const { data, info } = await sharp(await alpha.arrayBuffer())
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 300, height: 200, channels: 4 });
    const alphaAt = (x: number) => data[(100 * 300 + x) * 4 + 3];
    expect([10, 140, 160, 290].map(alphaAt)).toEqual([255, 255, 0, 0]);
    expect(await measure(images[0])).toMatchObject({ format: 'webp', width: 1024 });
  });

  test('vary-image says in words how close to stay', async () => {
    const images = [await picture(128, 128)];
    const prompts: unknown[] = [];
    for (const strength of [0, 0.6, 1]) {
      await run(at.provider, request(model, { strength, images, size: '1024x1024' }, 'vary-image'));
      prompts.push(sent()['prompt']);
    }
    expect(prompts).toEqual([
      'Make a variation of the given image. Keep everything as it is but the finest details.',
      'Make a variation of the given image. Keep its composition and the kind of subject; the rest may be different.',
      'Make a variation of the given image. Keep no more than its composition.',
    ]);
  });

  test('sends several images as a list', async () => {
    const images = [await picture(64, 64), await picture(64, 96, 'jpeg')];
    await run(at.provider, request(model, { prompt, images }, 'edit-image'));
    expect((sent()['image[]'] as Blob[]).map(({ type }) => type)).toEqual(['image/png', 'image/jpeg']);
  });

  test('uses another address for every request, even if it ends with a slash', async () => {
    const provider = connect(openai, `${at.fake.url}/`);
    await provider.ping(new AbortController().signal);
    await run(provider, request(model, { prompt }));
    expect(at.fake.requests.map(({ path }) => path)).toEqual(['/v1/models', '/v1/images/generations']);
    await provider.close();
  });
});

describe('rejects what OpenAI would ignore, before it sends a request', () => {
  test.each<[string, object]>([
    ['/seed', { prompt, seed: 7 }],
    ['/aspectRatio', { prompt, aspectRatio: '16:9' }],
    ['/size', { prompt, size: 'large' }],
    ['/strength', { prompt, strength: 0.5 }],
    ['/mask', { prompt, mask: {} }],
    ['/providerOptions/openai/output_format', { prompt, providerOptions: { openai: { output_format: 'png' } } }],
    ['/providerOptions/openai/inputFidelity', { prompt, providerOptions: { openai: { inputFidelity: 'high' } } }],
    ['/providerOptions/google', { prompt, providerOptions: { google: {} } }],
    ['/images/0', { prompt, images: ['https://models.example/secret.png'] }],
  ])('%s', async (path, input) => {
    const failed = await failure(at.provider, run(at.provider, request(model, input)));
    expect(failed).toMatchObject({
      code: 'provider_rejected',
      message: `house does not support ${path}. Change "input".`,
    });
    expect(at.fake.requests).toEqual([]);
  });

  test('an option with an invalid value', async () => {
    const input = { prompt, providerOptions: { openai: { quality: 'best' } } };
    expect(await failure(at.provider, run(at.provider, request(model, input)))).toMatchObject(
      expectedFailure('invalid'),
    );
    expect(at.fake.requests).toEqual([]);
  });
});

test('fails when the SDK drops a field, and prints no warning', async () => {
  const connection = openConnection(at.fake.url, { owner: 'an engine', largestResponse: 1e8 });
  const client = createOpenAI({ baseURL: connection.url, apiKey, fetch: connection.fetch });
  const provider = sdkProvider({
    name: 'house',
    connection,
    model: (id) => client.image(id),
    request: () => Promise.resolve({ prompt, seed: 7 }),
    listing: { path: '/models', headers: {} },
  });
  const failed = await failure(provider, run(provider, request(model, {})));
  expect(failed).toMatchObject({
    code: 'provider_rejected',
    message: 'house does not support all fields of the input. Change "input".',
  });
  await provider.close();
});

test('sends language models the new name of the token limit, also at another address', async () => {
  const server = await startOpenAiChat({ apiKey });
  server.reply(completion('Hello, garden!'));
  const engine = await openai.languageModel?.({ name: 'house', baseUrl: server.url, apiKey }, { model: 'gpt-6-luna' });
  const params = { ...writing('rewrite', { text: 'hello garden', instructions: null }), maxTokens: 50 };
  const call = { task: 'write', model: 'textcraft', idempotencyKey: 'art_1-write', params } as const;
  const result = await engine?.run(call, { signal: new AbortController().signal });
  expect(result).toMatchObject({ model: 'house/gpt-6-luna', written: { text: 'Hello, garden!' } });
  expect(server.requests[0]?.body).toMatchObject({
    model: 'gpt-6-luna',
    max_completion_tokens: 50,
    store: false,
  });
  await engine?.close();
  await server.close();
});

describe('failures', () => {
  testDirectProtocol(at, openai, request(model, { prompt, size: '1024x1024' }));

  test('classifies a size that the server rejects', async () => {
    const failed = await failure(at.provider, run(at.provider, request(model, { prompt, size: '1000x1000' })));
    expect(failed).toMatchObject(expectedFailure('invalid'));
  });

  test.each(['content_policy_violation', 'content_filter'])('moderation by the code %s', async (code) => {
    at.fake.reply({ status: 400, body: { error: { message: 'No', type: 'invalid_request_error', code } } });
    expect(await failure(at.provider, run(at.provider, request(model, { prompt })))).toMatchObject(
      expectedFailure('refused'),
    );
  });

  test('does not read an endless response to its end', async () => {
    at.fake.reply({ status: 200, body: { created: 1, data: [{ b64_json: 'A'.repeat(65 * 1024 * 1024) }] } });
    expect(await failure(at.provider, run(at.provider, request(model, { prompt })))).toMatchObject(
      expectedFailure('response-too-large'),
    );
  });

  test('rejects a link in place of the file', async () => {
    at.fake.fail('private-link');
    const failed = await failure(at.provider, run(at.provider, request(model, { prompt })));
    expect(failed).toMatchObject(expectedFailure('unreadable'));
  });
});

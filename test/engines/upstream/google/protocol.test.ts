/** Google's Gemini image models: the request of each task, and failures. */
import { describe, expect, test } from '@jest/globals';
import { google } from '../../../../engines/upstream/google/protocol.ts';
import { blockedOf, contentOf, startGoogle } from '../../../upstreams/google.ts';
import type { GenerateContent } from '../../../upstreams/google-wire.ts';
import { testDirectProtocol } from '../direct-failures.ts';
import { apiKey, bench, connect, failure, measure, picture, request, run, expectedFailure } from '../direct.ts';

const at = bench(google, () => startGoogle({ apiKey }));
const model = 'gemini-3.1-flash-image';
const prompt = 'a secret garden behind the villa';
const safetySettings = [{ category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'BLOCK_NONE' }];

const sent = () => at.fake.requests.at(-1)?.body as GenerateContent;

describe('successful requests', () => {
  test('text-to-image', async () => {
    const providerOptions = { google: { safetySettings, imageConfig: { imageSize: '1K' } } };
    const input = { prompt, negativePrompt: 'people', aspectRatio: '16:9', seed: 42, providerOptions };
    const { images } = await run(at.provider, request(model, input));
    expect(at.fake.requests.at(-1)).toMatchObject({
      path: `/v1beta/models/${model}:generateContent`,
      headers: { 'x-goog-api-key': apiKey },
    });
    expect(sent()).toEqual({
      contents: [{ role: 'user', parts: [{ text: `${prompt}\n\nDo not show: people` }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
        seed: 42,
      },
      safetySettings,
    });
    expect(images).toHaveLength(1);
    expect(await measure(images[0])).toMatchObject({ format: 'jpeg', width: 1376, height: 768 });
  });

  test('edit-image', async () => {
    const image = await picture(300, 200, 'jpeg');
    await run(at.provider, request(model, { prompt: 'Add a bench', images: [image] }, 'edit-image'));
    const data = Buffer.from(image.bytes).toString('base64');
    expect(sent().contents).toEqual([
      { role: 'user', parts: [{ text: 'Add a bench' }, { inlineData: { mimeType: 'image/jpeg', data } }] },
    ]);
  });

  test('vary-image says in words how close to stay', async () => {
    const images = [await picture(128, 128)];
    await run(at.provider, request(model, { prompt: 'in autumn', strength: 0.1, images }, 'vary-image'));
    expect(sent().contents[0]?.parts[0]?.text).toBe(
      'Make a variation of the given image. Keep everything as it is but the finest details.\n\nin autumn',
    );
  });

  test('drops the highest bit of a seed, which Google does not accept', async () => {
    const seeds: (number | undefined)[] = [];
    for (const seed of [0, 4_294_967_295, 2 ** 31]) {
      await run(at.provider, request(model, { prompt, seed }));
      seeds.push(sent().generationConfig?.seed);
    }
    expect(seeds).toEqual([0, 2_147_483_647, 0]);
  });

  test('uses another address for every request', async () => {
    const provider = connect(google, `${at.fake.url}/`);
    await provider.ping(new AbortController().signal);
    await run(provider, request(model, { prompt }));
    expect(at.fake.requests.map(({ path }) => path)).toEqual([
      '/v1beta/models?pageSize=1',
      `/v1beta/models/${model}:generateContent`,
    ]);
    await provider.close();
  });
});

describe('rejects what Gemini would ignore, before it sends a request', () => {
  test.each<[string, object]>([
    ['/size', { prompt, size: '1024x1024' }],
    ['/mask', { prompt, images: [], mask: {} }],
    ['/providerOptions/openai', { prompt, providerOptions: { openai: {} } }],
    ['/providerOptions/google/imageSize', { prompt, providerOptions: { google: { imageSize: '2K' } } }],
    [
      '/providerOptions/google/imageConfig/personGeneration',
      { prompt, providerOptions: { google: { imageConfig: { personGeneration: 'ALLOW_ALL' } } } },
    ],
  ])('%s', async (path, input) => {
    const failed = await failure(at.provider, run(at.provider, request(model, input)));
    expect(failed).toMatchObject({
      code: 'provider_rejected',
      message: `house does not support ${path}. Change "input".`,
    });
    expect(at.fake.requests).toEqual([]);
  });

  test('an aspect ratio that no Gemini model supports', async () => {
    const call = run(at.provider, request(model, { prompt, aspectRatio: '7:4' }));
    expect(await failure(at.provider, call)).toMatchObject(expectedFailure('invalid'));
    expect(at.fake.requests).toEqual([]);
  });

  test('a model that is not a Gemini model', async () => {
    const failed = await failure(at.provider, run(at.provider, request('imagen-4.0-generate-001', { prompt })));
    expect(failed.message).toBe('house does not support this model. Use one whose name begins with gemini-');
    expect(at.fake.requests).toEqual([]);
  });
});

describe('failures', () => {
  testDirectProtocol(at, google, request(model, { prompt, aspectRatio: '1:1' }));

  test.each(['SAFETY', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'IMAGE_SAFETY'])(
    'classifies a prompt that is blocked with %s',
    async (reason) => {
      at.fake.reply(blockedOf(reason));
      expect(await failure(at.provider, run(at.provider, request(model, { prompt })))).toMatchObject(
        expectedFailure('refused'),
      );
    },
  );

  test.each([
    ['SAFETY', 'refused'],
    ['IMAGE_SAFETY', 'refused'],
    ['PROHIBITED_CONTENT', 'refused'],
    ['IMAGE_PROHIBITED_CONTENT', 'refused'],
    ['BLOCKLIST', 'refused'],
    ['SPII', 'refused'],
    ['RECITATION', 'refused'],
    ['IMAGE_RECITATION', 'refused'],
    ['NO_IMAGE', 'no-image'],
    ['IMAGE_OTHER', 'no-image'],
    ['OTHER', 'no-image'],
    ['MAX_TOKENS', 'no-image'],
  ] as const)('classifies an output that ends with %s as %s', async (reason, row) => {
    at.fake.reply(contentOf(null, reason));
    expect(await failure(at.provider, run(at.provider, request(model, { prompt })))).toMatchObject(
      expectedFailure(row),
    );
  });

  test('reads the delay before a retry from the body', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37.5s' }];
    at.fake.reply({ status: 429, body: { error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED', details } } });
    expect(await failure(at.provider, run(at.provider, request(model, { prompt })))).toMatchObject({
      ...expectedFailure('rate-limited'),
      retryAfter: 37_500,
    });
  });
});

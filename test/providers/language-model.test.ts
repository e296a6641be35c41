/** Synchronous requests and seer on a language model over real HTTP: results, and the error of each failure. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { errors, type ErrorCode } from '../../schemas/errors.ts';
import type { Accepted } from '../../schemas/artwork.ts';
import { call, create, ended } from '../support/client.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { expectProblem } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { completion, type OpenAiChat, refusal, type Reply, startOpenAiChat } from '../upstreams/openai-chat.ts';

const apiKey = 'sk-never-to-be-seen';
let upstream: OpenAiChat;
let stack: Stack;

beforeAll(async () => {
  upstream = await startOpenAiChat({ apiKey, model: 'test-model' });
  stack = await startSharedStack({
    env: {
      ATELIER_LANGUAGE_URL: upstream.url,
      ATELIER_LANGUAGE_MODEL: 'test-model',
      ATELIER_LANGUAGE_KEY: apiKey,
      ATELIER_LANGUAGE_VISION: 'true',
      ATELIER_ANSWER_TIMEOUT: '6s',
    },
  });
});
afterAll(async () => {
  await stack.stop();
  await upstream.close();
});

const post = (body: object, path = '/v2/textcraft') =>
  call(`${stack.baseUrl}${path}`, { method: 'POST', key: stack.adminKey, body });

const write = { task: 'freeform', prompt: 'Say hello to the harbour.' };

test('returns text with the usage and the finish reason of the model', async () => {
  upstream.reply(completion('Hello, harbour!', { finishReason: 'length', usage: { prompt: 21, completion: 4 } }));
  const { status, body } = await post({ ...write, maxTokens: 4, temperature: 0.5 });
  expect([status, body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^ans_/),
      text: 'Hello, harbour!',
      model: 'language/test-model',
      finishReason: 'length',
      usage: { inputTokens: 21, outputTokens: 4 },
    },
  ]);
  const request = upstream.requests.at(-1)!;
  expect(request.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(request.body).toMatchObject({ model: 'test-model', max_tokens: 4, temperature: 0.5 });
  expect(JSON.stringify(request.body.messages)).toContain('harbour');
});

test.each(['rewrite', 'copy', 'summarize', 'translate', 'freeform'])('%s reaches the model', async (task) => {
  upstream.reply(completion(`done: ${task}`));
  expect((await post({ task, prompt: 'The harbour sleeps.', instructions: 'into German' })).body['text']).toBe(
    `done: ${task}`,
  );
});

test('returns valid JSON or an error', async () => {
  upstream.reply(completion('{"greeting": "Hello"}'));
  expect(JSON.parse(String((await post({ ...write, format: 'json' })).body['text']))).toEqual({ greeting: 'Hello' });
  for (const broken of ['{"greeting": "Hel', 'Hello!', '"Hello"']) {
    upstream.reply(completion(broken));
    expectProblem(await post({ ...write, format: 'json' }), 'provider_rejected');
  }
});

const failures: [name: string, reply: Reply, code: ErrorCode][] = [
  [
    'a bad request',
    refusal(400, { message: 'no', type: 'invalid_request_error', param: null, code: null }),
    'provider_rejected',
  ],
  [
    'a rejected key',
    refusal(401, {
      message: `Incorrect API key: ${apiKey}`,
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    }),
    'provider_rejected',
  ],
  [
    'a moderation refusal',
    refusal(400, { message: 'no', type: 'invalid_request_error', param: null, code: 'content_policy_violation' }),
    'content_refused',
  ],
  [
    'an upstream that stays broken',
    refusal(500, { message: 'boom', type: 'server_error', param: null, code: null }),
    'provider_unavailable',
  ],
  [
    'a page of HTML',
    { kind: 'raw', status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
    'provider_unavailable',
  ],
  ['an upstream that never responds', { kind: 'silence' }, 'provider_timeout'],
];

// The requests run concurrently, because half of them last until the timeout.
test('each failure of the upstream has its error code, within the timeout', async () => {
  const began = Date.now();
  const responses = await Promise.all(
    failures.map(async ([name, reply, code]) => {
      upstream.replyTo(name, reply);
      return { name, code, got: await post({ ...write, prompt: `Say hello to ${name}.` }) };
    }),
  );
  expect(Date.now() - began).toBeLessThan(15_000);
  for (const { name, code, got } of responses) {
    expect(JSON.stringify(got.body)).not.toContain(apiKey);
    // A temporary failure is retried until the client's timeout.
    const codes = errors[code].retryable ? ['provider_timeout', code] : [code];
    expect([name, codes]).toEqual([name, expect.arrayContaining([got.body['code']])]);
    expectProblem(got, got.body['code'] as ErrorCode);
  }
});

test.each<[string, Reply]>([
  [
    '429 with Retry-After',
    refusal(
      429,
      { message: 'slow down', type: 'tokens', param: null, code: 'rate_limit_exceeded' },
      { 'retry-after': '1' },
    ),
  ],
  ['500', refusal(500, { message: 'boom', type: 'server_error', param: null, code: null })],
  ['a reset connection', { kind: 'reset' }],
  ['half of a response', { kind: 'cut', content: 'Hello' }],
])('retries after %s', async (_name, reply) => {
  upstream.reply(reply, completion('At last.'));
  const began = Date.now();
  expect((await post(write)).body['text']).toBe('At last.');
  if (reply.kind === 'refusal' && reply.status === 429) expect(Date.now() - began).toBeGreaterThan(950);
});

test('seer uses the prompt that the model writes and shows it on the artwork', async () => {
  upstream.reply(completion('a small wooden boat on a calm lake, golden evening light'));
  const { id } = await create(stack, { prompt: 'a boat', promptMode: 'seer', width: 256, height: 256 });
  expect(await ended(stack, id)).toMatchObject({
    status: 'SUCCEEDED',
    prompt: 'a small wooden boat on a calm lake, golden evening light',
    input: { prompt: 'a boat' },
  });
});

test('seer checks the prompt of the model like any prompt and never replaces it silently', async () => {
  upstream.reply(completion('a naked person in a boat'));
  const refused = await create(stack, { prompt: 'a boat', promptMode: 'seer', width: 256, height: 256 });
  expect(await ended(stack, refused.id)).toMatchObject({ status: 'FAILED', errorCode: 'content_refused' });
  upstream.reply(completion('a boat, '.repeat(600)));
  const long = await create(stack, { prompt: 'a boat', promptMode: 'seer', width: 256, height: 256 });
  expect(await ended(stack, long.id)).toMatchObject({ status: 'FAILED', errorCode: 'provider_rejected' });
  upstream.reply(refusal(400, { message: 'no', type: 'invalid_request_error', param: null, code: null }));
  const failed = await create(stack, { prompt: 'a boat', promptMode: 'seer', width: 256, height: 256 });
  expect(await ended(stack, failed.id)).toMatchObject({
    status: 'FAILED',
    errorCode: 'provider_rejected',
    prompt: null,
  });
});

test('style options and refined prompts come from the model', async () => {
  const options = [1, 2].map((n) => ({ name: `Style ${n}`, description: 'fine', prompt: `a boat, style ${n}` }));
  upstream.reply(completion(JSON.stringify({ options })));
  expect((await post({ prompt: 'a boat', count: 2 }, '/v2/style-dna/generate-style-options')).body).toEqual({
    options,
  });
  upstream.reply(completion(JSON.stringify({ options: options.slice(1) })));
  expectProblem(
    await post({ prompt: 'a boat', count: 2 }, '/v2/style-dna/generate-style-options'),
    'provider_rejected',
  );
  upstream.reply(completion('a blue boat'));
  expect((await post({ prompt: 'a boat' }, '/v2/style-dna/refine-prompt')).body).toEqual({
    prompt: 'a blue boat',
    original: 'a boat',
  });
});

test('a model that sees the images describes a style', async () => {
  upstream.reply(completion(JSON.stringify({ summary: 'Warm browns.', keywords: ['warm', 'brown'] })));
  const body = { name: 'warm', images: [dataUri(await photo('coffee')), dataUri(await photo('chelsea'))] };
  const key = stack.adminKey;
  const accepted = await call<Accepted>(`${stack.baseUrl}/v2/style-dna/generate-anchor`, { method: 'POST', key, body });
  const { status, styleDnaId } = await ended(stack, accepted.body.id);
  expect(status).toBe('SUCCEEDED');
  const style = await call<{ dna: object }>(`${stack.baseUrl}/v2/style-dna/${styleDnaId}`, { key });
  expect(style.body.dna).toMatchObject({ words: { summary: 'Warm browns.', keywords: ['warm', 'brown'] } });
  const question = JSON.stringify(upstream.requests.at(-1)!.body.messages.at(-1));
  expect(question.match(/data:image\/jpeg;base64,/g)).toHaveLength(2);
  expect(question).toContain('palette');
});

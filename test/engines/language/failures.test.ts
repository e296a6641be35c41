/** Failures of language servers: how each is classified, which delay before a retry is reported, and that none reveals a secret. */
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { EngineError } from '../../../engines/contract/index.ts';
import { createLanguageEngine } from '../../../engines/language/openai-compatible.ts';
import { errors } from '../../../schemas/errors.ts';
import { writing } from '../../../schemas/writing.ts';
import { completion, refusal, type Reply, startOpenAiChat } from '../../upstreams/openai-chat.ts';
import { apiKey, bench, call, failure } from './engine.ts';

const prompt = 'a secret garden behind the villa';
const params = writing('enhance-prompt', { prompt, style: null });
const said = 'Upstream says: organization org-4711';

const at = bench();

/** Expects that the printed error contains no key, address or prompt, and none of the server's words. */
function expectNoSecrets(error: EngineError): void {
  expect(error).toBeInstanceOf(EngineError);
  expect(error.cause).toBeUndefined();
  expect(error.publicMessage).toBeUndefined();
  const printed = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), error.stack].join('\n');
  for (const secret of [apiKey, 'garden', '127.0.0.1', 'http:', 'org-4711', 'chat/completions', 'villa']) {
    expect(printed).not.toContain(secret);
  }
  expect(error.message.length).toBeLessThan(80);
}

const error = (code: string | number | null = null, type = 'invalid_request_error') => ({
  message: `${said} ${apiKey} ${prompt}`,
  type,
  param: null,
  code,
});

const cases: [string, Reply, EngineError['code']][] = [
  ['400', refusal(400, error('invalid_value')), 'provider_rejected'],
  ['401', refusal(401, error('invalid_api_key')), 'provider_rejected'],
  ['402', refusal(402, error()), 'provider_rejected'],
  ['403', refusal(403, error()), 'provider_rejected'],
  ['404', refusal(404, error('model_not_found')), 'provider_rejected'],
  ['408', refusal(408, error()), 'provider_timeout'],
  ['413', refusal(413, error()), 'provider_rejected'],
  ['422', refusal(422, error()), 'provider_rejected'],
  ['429', refusal(429, error('rate_limit_exceeded', 'requests')), 'provider_unavailable'],
  ['429, no quota', refusal(429, error('insufficient_quota', 'insufficient_quota')), 'provider_unavailable'],
  ['500', refusal(500, error(null, 'server_error')), 'provider_unavailable'],
  ['502 with a page', page(502), 'provider_unavailable'],
  ['503', refusal(503, error(null, 'server_error')), 'provider_unavailable'],
  ['504 with a page', page(504), 'provider_timeout'],
  ['524', page(524), 'provider_timeout'],
  ['an empty 500', raw(500, 'text/plain', ''), 'provider_unavailable'],
  ['a page with 200', page(200), 'provider_unavailable'],
  ['JSON of another kind with 200', raw(200, 'application/json', '{"ok":true}'), 'provider_unavailable'],
  ['half of the JSON', raw(200, 'application/json', '{"choices":[{"message":{"con'), 'provider_unavailable'],
  ['a connection that ends during the response', { kind: 'cut', content: 'a garden' }, 'provider_unavailable'],
  ['a connection reset', { kind: 'reset' }, 'provider_unavailable'],
  ['silence', { kind: 'silence' }, 'provider_timeout'],
  ['silence after the headers', { kind: 'silence', after: 'headers' }, 'provider_timeout'],
  ['no choices', completion(null, { choices: 'none' }), 'provider_unavailable'],
  ['finish reason content_filter', completion('a gar', { finishReason: 'content_filter' }), 'content_refused'],
  ['a refusal', completion(null, { refusal: `No: ${prompt}` }), 'content_refused'],
  ['OpenAI moderation', refusal(400, error('content_policy_violation')), 'content_refused'],
  ['Azure moderation', refusal(400, error('content_filter')), 'content_refused'],
  [
    'Azure moderation, inner',
    refusal(400, { ...error('bad_request'), innererror: { code: 'ResponsibleAIPolicyViolation' } }),
    'content_refused',
  ],
  [
    'OpenRouter moderation',
    refusal(403, { ...error(403), metadata: { reasons: ['x'], flagged_input: prompt } }),
    'content_refused',
  ],
  ['429 within a 200', raw(200, 'application/json', JSON.stringify({ error: error(429) })), 'provider_unavailable'],
  ['400 within a 200', raw(200, 'application/json', JSON.stringify({ error: error(400) })), 'provider_rejected'],
  ['a redirect', raw(302, 'text/plain', '', { location: 'http://127.0.0.1:9/elsewhere' }), 'provider_rejected'],
];

function raw(status: number, contentType: string, body: string, headers: Record<string, string> = {}): Reply {
  return { kind: 'raw', status, contentType, body, headers };
}

function page(status: number): Reply {
  return raw(status, 'text/html', `<html><h1>${said}</h1>${prompt}</html>`);
}

test.each(cases)('classifies %s', async (_, reply, code) => {
  at.server.requests.length = 0;
  at.server.reply(reply);
  // Only for a silent server, because a busy machine may need longer than 400 ms for a response.
  const timeout = reply.kind === 'silence' ? { timeout: 400 } : {};
  const engine = createLanguageEngine({ name: 'x', baseUrl: at.server.url, apiKey, model: 'm', ...timeout });
  const failed = await failure(engine, params);
  expect(failed).toMatchObject({ code });
  expectNoSecrets(failed);
  // Only Temporal retries.
  expect(at.server.requests).toHaveLength(1);
  await engine.close();
});

test.each([
  [401, 'The language model rejected our API key (401)'],
  [429, 'The language model received too many requests (429)'],
  [500, 'The language model failed with a server error (500)'],
])('gives operators a short message with the status %i', async (status, message) => {
  at.server.reply(refusal(status, error()));
  expect((await failure(at.engine, params)).message).toBe(message);
});

test('stops reading an endless response', async () => {
  at.server.reply(completion('x'.repeat(9 * 1024 * 1024)));
  const text = writing('rewrite', { text: prompt, instructions: null });
  expect(await failure(at.engine, text)).toMatchObject({
    code: 'provider_rejected',
    message: 'The language model sent too large a response',
  });
});

test('does not repeat a wrong key that the server quotes', async () => {
  const engine = createLanguageEngine({ name: 'x', baseUrl: at.server.url, apiKey: `${apiKey}-old`, model: 'm' });
  const failed = await failure(engine, params);
  expect(failed).toMatchObject({ code: 'provider_rejected' });
  expectNoSecrets(failed);
  await engine.close();
});

test('reports a key that is not a valid header as internal_error, without the key', async () => {
  const engine = createLanguageEngine({ name: 'x', baseUrl: at.server.url, apiKey: `${apiKey}\n2`, model: 'm' });
  const failed = await failure(engine, params);
  expect(failed).toMatchObject({ code: 'internal_error', message: 'Unexpected TypeError' });
  expect(failed.stack).toMatch(/\n\s+at .*(undici|fetch)/);
  expectNoSecrets(failed);
  await engine.close();
});

test.each<[string, () => Promise<string>]>([
  ['a port without a listener', closed],
  ['an unknown host name', () => Promise.resolve('http://models.invalid/v1')],
  ['https where only http is spoken', () => Promise.resolve(at.server.url.replace('http:', 'https:'))],
])('classifies %s', async (_, address) => {
  const engine = createLanguageEngine({ name: 'x', baseUrl: await address(), apiKey, model: 'm' });
  const failed = await failure(engine, params);
  expect(failed).toMatchObject({ code: 'provider_unavailable' });
  expectNoSecrets(failed);
  await engine.close();
});

async function closed(): Promise<string> {
  const server = await startOpenAiChat();
  await server.close();
  return server.url;
}

describe('Retry-After', () => {
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
  test.each<[string, number, Record<string, string>, number | undefined]>([
    ['seconds', 429, { 'retry-after': '7' }, 7000],
    ['seconds, 503', 503, { 'retry-after': '0' }, 0],
    ['milliseconds first', 429, { 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ['a date, by the clock of the server', 429, { date, 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
    ['a date that has passed', 429, { date, 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, undefined],
    ['much too long', 429, { 'retry-after': '999999' }, 3600_000],
    ['nonsense', 429, { 'retry-after': 'soon' }, undefined],
    ['none', 429, {}, undefined],
    ['for an error that is not retried', 400, { 'retry-after': '7' }, undefined],
  ])('%s', async (_, status, headers, wait) => {
    at.server.reply(refusal(status, error(), headers));
    expect((await failure(at.engine, params)).retryAfter).toBe(wait);
  });
});

describe('a canceled call', () => {
  const reason = new Error('canceled');
  afterEach(() => at.server.reply(completion('x')));

  test('ends immediately with the reason of the cancellation and closes the connection', async () => {
    const controller = new AbortController();
    at.server.reply({ kind: 'silence' });
    const hungUp = at.server.hungUp();
    setTimeout(() => controller.abort(reason), 50);
    const started = performance.now();
    await expect(call(at.engine, params, controller.signal)).rejects.toBe(reason);
    expect(performance.now() - started).toBeLessThan(300);
    await hungUp;
  });

  test('sends no request when it is canceled before it begins', async () => {
    at.server.requests.length = 0;
    await expect(call(at.engine, params, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(at.server.requests).toEqual([]);
  });
});

test('retries only errors of a server that may recover', () => {
  const retried = new Set(cases.map(([, , code]) => code).filter((code) => errors[code].retryable));
  expect(retried).toEqual(new Set(['provider_unavailable', 'provider_timeout']));
});

test.each(['', 'models.example/v1', 'ftp://models.example', 'https://me:word@models.example/v1', 'http://a/v1?key=1'])(
  'rejects the address %j without repeating it',
  (baseUrl) => {
    const create = () => createLanguageEngine({ name: 'x', baseUrl, model: 'm' });
    expect(create).toThrow('The address of a language model');
    expect(create).not.toThrow(/example|word|key/);
  },
);

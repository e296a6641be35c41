/** A language engine that uses Google's Gemini API: texts, JSON that matches a schema, and failures with the same messages as other engines. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Engine } from '../../../engines/contract/index.ts';
import { createGoogleLanguageEngine } from '../../../engines/language/google.ts';
import { writing } from '../../../schemas/writing.ts';
import type { DirectFake } from '../../upstreams/direct-fake.ts';
import { blockedOf, contentOf, startGoogle } from '../../upstreams/google.ts';
import { apiKey, failure, written } from './engine.ts';

const text = 'A quiet garden behind the villa.';
let server: DirectFake;
let engine: Engine;

beforeAll(async () => {
  server = await startGoogle({ apiKey, text });
  engine = createGoogleLanguageEngine({ name: 'gemini', baseUrl: server.url, apiKey, model: 'gemini-3.5-flash' });
});
afterEach(() => server.reset());
afterAll(async () => {
  await engine.close();
  await server.close();
});

const rewrite = writing('rewrite', { text: 'the garden is quiet', instructions: null });

test('returns the text of the model', async () => {
  expect(await written(engine, rewrite)).toEqual({
    text,
    finishReason: 'stop',
    usage: { inputTokens: 12, outputTokens: 1290 },
  });
  expect(server.requests[0]).toMatchObject({
    path: '/v1beta/models/gemini-3.5-flash:generateContent',
    headers: { 'x-goog-api-key': apiKey },
  });
});

test('lets Google enforce the JSON Schema', async () => {
  const options = [{ name: 'Ink', description: 'Black lines', prompt: 'a villa, black ink' }];
  server.reply(contentOf([{ text: JSON.stringify({ options }) }]));
  const { text: json } = await written(engine, writing('style-options', { prompt: 'a villa', count: 1 }));
  expect(JSON.parse(json)).toEqual({ options });
  expect(server.requests[0]?.body).toMatchObject({
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
  });
});

test.each([
  ['bad-key', 'provider_rejected', 'The language model rejected our API key (400)'],
  ['quota', 'provider_unavailable', 'The language model reports that our quota is used up (429)'],
  ['broken', 'provider_unavailable', 'The language model failed with a server error (500)'],
  ['cut', 'provider_unavailable', 'The language model closed the connection'],
] as const)('classifies %s', async (reply, code, message) => {
  server.fail(reply);
  expect(await failure(engine, rewrite)).toMatchObject({ code, message });
  expect(server.counts.submissions).toBe(1);
});

test('reports blocked content as content_refused', async () => {
  server.reply(blockedOf('PROHIBITED_CONTENT'));
  expect(await failure(engine, rewrite)).toMatchObject({ code: 'content_refused' });
  server.reply(contentOf(null, 'SAFETY'));
  expect(await failure(engine, rewrite)).toMatchObject({ code: 'content_refused' });
});

/** The whole way with a real language model behind real HTTP: an answer, JSON by a schema, and a prompt enhanced by seer. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, create, ended } from '../support/client.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { type LanguageModel, startLanguageModel } from '../upstreams/language-model.ts';

let model: LanguageModel;
let stack: Stack;

beforeAll(async () => {
  model = await startLanguageModel();
  stack = await startSharedStack({
    env: {
      ATELIER_LANGUAGE_URL: model.baseUrl,
      ATELIER_LANGUAGE_MODEL: model.model,
      ATELIER_LANGUAGE_JSON_SCHEMA: 'true',
    },
  });
}, 120_000);
afterAll(async () => {
  await stack.stop();
  await model.close();
});

const post = (path: string, body: object) =>
  call(`${stack.baseUrl}/v2/${path}`, { method: 'POST', key: stack.adminKey, body });

test('textcraft', async () => {
  const prompt = 'The harbour sleeps. A boat comes home, and the lamp is lit.';
  const { status, body } = await post('textcraft', { task: 'summarize', prompt, maxTokens: 40, temperature: 0 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ model: `language/${model.model}`, text: expect.stringMatching(/harbour|boat|lamp/i) });
  const { inputTokens, outputTokens } = body['usage'] as Record<string, number>;
  expect(inputTokens).toBeGreaterThan(50);
  expect(outputTokens).toBeGreaterThan(3);
});

test('style options, as exactly the JSON that was promised', async () => {
  const { status, body } = await post('style-dna/generate-style-options', { prompt: 'a castle in the fog', count: 2 });
  expect(status).toBe(200);
  const options = body['options'] as { name: string; description: string; prompt: string }[];
  expect(options).toHaveLength(2);
  for (const { prompt } of options) expect(prompt).toMatch(/castle/i);
});

test('seer', async () => {
  const { id } = await create(stack, { prompt: 'a red fox', promptMode: 'seer', width: 256, height: 256 });
  const artwork = await ended(stack, id, 55_000);
  expect(artwork.status).toBe('SUCCEEDED');
  expect(artwork.prompt).toMatch(/fox/i);
  expect(artwork.prompt!.length).toBeGreaterThan('a red fox'.length);
});

/** A real language model behind real HTTP: text, and JSON by a schema. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { type LanguageModel, startLanguageModel } from '../upstreams/language-model.ts';

jest.setTimeout(180_000);

let model: LanguageModel;
let stack: Stack;

beforeAll(async () => {
  model = await startLanguageModel();
  stack = await startSharedStack({
    env: {
      ATELIER_LANGUAGE_URL: model.baseUrl,
      ATELIER_LANGUAGE_MODEL: model.model,
      ATELIER_LANGUAGE_JSON_SCHEMA: 'true',
      // A response takes the model up to 10 s, and longer on a busy machine.
      ATELIER_ANSWER_TIMEOUT: '150s',
    },
  });
});
afterAll(async () => {
  await stack.stop();
  await model.close();
});

const post = (path: string, body: object) =>
  call(`${stack.baseUrl}/v2/${path}`, { method: 'POST', key: stack.adminKey, body });

// language-engine.test.ts sends every purpose to this model, and test/providers/language-model.test.ts every request to a
// fake. These two tests connect both halves: short requests, because the model takes 60 ms for each token.
test('textcraft returns the text of the model', async () => {
  const prompt = 'Write one sentence about a boat in the harbour.';
  const { status, body } = await post('textcraft', { task: 'freeform', prompt, maxTokens: 16, temperature: 0 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ model: `language/${model.model}`, text: expect.stringMatching(/harbour|boat/i) });
  const { inputTokens, outputTokens } = body['usage'] as Record<string, number>;
  expect(inputTokens).toBeGreaterThan(50);
  expect(outputTokens).toBeGreaterThan(3);
});

test('returns style options that keep the subject of the prompt', async () => {
  const { status, body } = await post('style-dna/generate-style-options', { prompt: 'a castle in the fog', count: 1 });
  expect(status).toBe(200);
  const options = body['options'] as { name: string; description: string; prompt: string }[];
  expect(options).toHaveLength(1);
  for (const { prompt } of options) expect(prompt).toMatch(/castle/i);
});

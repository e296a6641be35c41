/** Every purpose with a real model. The model is small, so the tests expect only what the engine promises for any model. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Engine } from '../../engines/contract/index.ts';
import { createLanguageEngine } from '../../engines/language/openai-compatible.ts';
import { type JsonFormat, writing } from '../../schemas/writing.ts';
import { type LanguageModel, startLanguageModel } from '../upstreams/language-model.ts';
import { call, failure, written } from '../engines/language/engine.ts';

// The first run downloads the weights.
jest.setTimeout(180_000);

let model: LanguageModel;
let engine: Engine;

beforeAll(async () => {
  model = await startLanguageModel();
  const { baseUrl, model: name } = model;
  engine = createLanguageEngine({ name: 'own', baseUrl, model: name, supportsJsonSchema: true, timeout: 120_000 });
});

afterAll(async () => {
  await engine.close();
  await model.close();
});

const precise = { temperature: 0, maxTokens: 80 };
const report =
  'The harbour museum reopened on Saturday after two years of work. Visitors queued along the quay to see the restored steam tug Hercules. The mayor thanked 140 volunteers who had scraped, painted and riveted the ship.';

test('a rewritten text keeps the facts and changes the words', async () => {
  const text = 'Our shop will be closed on Friday because we are painting the walls.';
  const result = await call(engine, writing('rewrite', { text, instructions: null }, precise));
  expect(result.model).toBe(`own/${model.model}`);
  expect(result.written?.text).toMatch(/Friday/);
  expect(result.written?.text).not.toBe(text);
  expect(result.written?.usage.inputTokens).toBeGreaterThan(200);
  expect(result.written?.usage.outputTokens).toBeGreaterThan(5);
});

test('a summary is shorter than the text and mentions its subject', async () => {
  const summary = await written(engine, writing('summarize', { text: report, instructions: null }, precise));
  expect(summary.finishReason).toBe('stop');
  expect(summary.text).toMatch(/museum|Hercules/);
  expect(summary.text.length).toBeLessThan(report.length);
});

test('an enhanced prompt keeps its subject and is longer', async () => {
  const prompt = 'a lighthouse at dusk';
  const { text } = await written(engine, writing('enhance-prompt', { prompt, style: null }, precise));
  expect(text).toMatch(/lighthouse/);
  expect(text.length).toBeGreaterThan(prompt.length * 3);
  expect(text).not.toMatch(/<\/?prompt>|\n/);
});

// Few free strings, in which a model this small may not find an end.
const properties = {
  title: { type: 'string' },
  mood: { enum: ['glad', 'sad', 'angry'] },
  volunteers: { type: 'integer' },
  reopened: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
  ships: { type: 'array', items: { enum: ['Hercules', 'Titanic', 'Endeavour'] }, minItems: 1, maxItems: 2 },
};
const keys = Object.keys(properties);
const schema = { type: 'object', properties, required: keys, additionalProperties: false };
const described = (format: JsonFormat, maxTokens: number | null) =>
  writing(
    'freeform',
    { text: `Describe this report: ${report}`, instructions: `Use the keys ${keys.join(', ')}.` },
    { ...precise, format, maxTokens },
  );

test('JSON follows the schema of the call', async () => {
  const { text, finishReason } = await written(engine, described({ schema }, null));
  const value = JSON.parse(text) as object;
  expect(new Ajv2020().validate(schema, value)).toBe(true);
  expect(text).toMatch(/140|museum|Hercules/i);
  expect(finishReason).toBe('stop');
});

test('JSON follows the schema of its purpose', async () => {
  const { text } = await written(
    engine,
    writing('style-options', { prompt: 'a castle in the fog', count: 1 }, { temperature: 0 }),
  );
  const { options } = JSON.parse(text) as { options: { name: string; description: string; prompt: string }[] };
  expect(options).toHaveLength(1);
  expect(Object.values(options[0] ?? {}).filter((words) => words.length > 3)).toHaveLength(3);
});

test('rejects JSON that runs out of tokens', async () => {
  expect(await failure(engine, described({ schema }, 5))).toMatchObject({ code: 'provider_rejected' });
});

test('a text ends at its token limit, and the same request returns the same text', async () => {
  const request = writing(
    'freeform',
    { text: 'Tell a long tale about a whale.', instructions: null },
    { temperature: 1, maxTokens: 12 },
  );
  const first = await written(engine, request);
  expect(first).toMatchObject({ finishReason: 'length', usage: { outputTokens: 12 } });
  expect(await written(engine, request)).toEqual(first);
});

test('rejects a conversation longer than the context of the model', async () => {
  const text = 'a word '.repeat(4000);
  expect(await failure(engine, writing('freeform', { text, instructions: null }))).toMatchObject({
    code: 'provider_rejected',
  });
});

test('a cancellation ends the call and the work of the model immediately', async () => {
  const list = { type: 'array', items: { enum: ['whale', 'dolphin', 'porpoise'] }, minItems: 1500 };
  const endless = { type: 'object', properties: { list }, required: ['list'], additionalProperties: false };
  const stopping = new AbortController();
  const facts = { text: 'List the whales that you see.', instructions: null };
  const failed = failure(
    engine,
    writing('freeform', facts, { format: { schema: endless }, maxTokens: 3500 }),
    stopping.signal,
  );
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const canceledAt = performance.now();
  stopping.abort(new Error('canceled'));
  expect(await failed).toMatchObject({ message: 'canceled' });
  // The model needs most of a minute for 3500 tokens.
  expect(performance.now() - canceledAt).toBeLessThan(10_000);
  // The model completes one chat at a time, and would be busy with 3500 tokens.
  const next = await written(engine, writing('freeform', facts, { maxTokens: 1 }));
  expect(next.usage.outputTokens).toBe(1);
  expect(performance.now() - canceledAt).toBeLessThan(10_000);
});

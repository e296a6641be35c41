/** JSON from servers that enforce a schema, and from servers that receive it in the messages. */
import { describe, expect, test } from '@jest/globals';
import { writing } from '../../../schemas/writing.ts';
import { completion } from '../../upstreams/openai-chat.ts';
import { apiKey, bench, failure, written } from './engine.ts';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['headline', 'lines'],
  properties: {
    headline: { type: 'string', minLength: 3 },
    lines: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
};
const copy = writing('copy', { text: 'Wooden train', instructions: null }, { format: { schema } });
const good = { headline: 'All aboard', lines: ['Wood that rolls.'] };
const options = writing('style-options', { prompt: 'a fox', count: 2 });
const option = (name: string) => ({ name, description: 'Soft.', prompt: `a fox, ${name}` });

describe('a server that supports JSON Schema', () => {
  const at = bench({ supportsJsonSchema: true });

  test('receives the schema in the request, without keywords that strict servers reject, and not in the messages', async () => {
    at.server.requests.length = 0;
    at.server.reply(completion(JSON.stringify(good, null, 2)));
    expect((await written(at.engine, copy)).text).toBe(JSON.stringify(good));
    const body = at.server.requests[0]?.body;
    const narrowed = { ...schema.properties, headline: { type: 'string' } };
    expect(body?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: true, schema: { ...schema, properties: narrowed } },
    });
    expect(JSON.stringify(body?.messages)).not.toContain('minItems');
  });

  test.each([
    ['an open object', { type: 'object' }],
    ['an object with additional properties', { ...schema, additionalProperties: true }],
    ['a property that may be absent', { ...schema, required: ['lines'] }],
    ['a keyword outside the strict subset', { ...schema, properties: { ...schema.properties, lines: { not: {} } } }],
  ])('sends %s as a hint', async (_, loose) => {
    at.server.requests.length = 0;
    at.server.reply(completion('{}'));
    await written(at.engine, { ...copy, format: { schema: loose } }).catch(() => null);
    expect(at.server.requests[0]?.body.response_format?.json_schema).toMatchObject({ strict: false, schema: loose });
  });

  test('validates the keywords that the server does not enforce', async () => {
    at.server.reply(completion(JSON.stringify({ ...good, headline: 'A' })));
    expect(await failure(at.engine, copy)).toMatchObject({ code: 'provider_rejected' });
  });

  test.each(['All\0aboard', 'All \ud83d aboard'])(
    'rejects text that the database cannot store: %j',
    async (headline) => {
      at.server.reply(completion(JSON.stringify({ ...good, headline })));
      expect(await failure(at.engine, copy)).toMatchObject({ code: 'provider_rejected' });
    },
  );

  test.each(['stop', 'length', null])('recognizes a refusal with the finish reason %s', async (finishReason) => {
    at.server.reply(completion(null, { refusal: 'I cannot help with that.', finishReason }));
    expect(await failure(at.engine, copy)).toMatchObject({ code: 'content_refused' });
  });
});

describe('an older server', () => {
  const at = bench({}, { apiKey, knowsJsonSchema: false });

  test('receives the schema in the messages', async () => {
    at.server.requests.length = 0;
    at.server.reply(completion(JSON.stringify(good)));
    expect((await written(at.engine, copy)).text).toBe(JSON.stringify(good));
    const { response_format: format, messages = [] } = at.server.requests[0]?.body ?? {};
    expect(format).toBeUndefined();
    expect(messages[0]?.content).toContain(JSON.stringify(schema));
    expect(messages.at(-1)?.content).toContain('JSON');
  });

  test.each([
    ['a fence', `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
    ['a fence and words', `Here you are:\n\`\`\`\n${JSON.stringify(good, null, 2)}\n\`\`\`\nEnjoy!`],
    ['a fence among braces', `{So} it is:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`\n{Done}`],
    ['words', `Sure! ${JSON.stringify(good)} Anything else?`],
    ['output after reasoning', `<think>{"headline": 1}</think>${JSON.stringify(good)}`],
  ])('finds JSON in %s', async (_, content) => {
    at.server.reply(completion(content));
    expect((await written(at.engine, copy)).text).toBe(JSON.stringify(good));
  });

  test.each([
    ['no JSON', 'All aboard!'],
    ['incomplete JSON', '{"headline":"All aboard","lines":["Wood'],
    ['a trailing comma', '{"headline":"All aboard","lines":["a"],}'],
    ['a missing field', '{"headline":"All aboard"}'],
    ['a field of another type', '{"headline":"All aboard","lines":"Wood"}'],
    ['an additional field', JSON.stringify({ ...good, price: 9 })],
    ['another type', '[1]'],
  ])('rejects %s', async (_, content) => {
    at.server.reply(completion(content));
    expect(await failure(at.engine, copy)).toMatchObject({ code: 'provider_rejected' });
  });

  test('fails when the model runs out of tokens, even if the JSON is complete', async () => {
    at.server.reply(completion(JSON.stringify(good), { finishReason: 'length' }));
    expect(await failure(at.engine, copy)).toMatchObject({ code: 'provider_rejected' });
  });

  test('returns exactly the requested number of style options; removes surplus options and fields', async () => {
    const three = ['ink', 'oil', 'chalk'].map((name) => ({ ...option(name), mood: 'calm' }));
    at.server.reply(completion(JSON.stringify({ options: three, note: 'x' })));
    expect(JSON.parse((await written(at.engine, options)).text)).toEqual({ options: [option('ink'), option('oil')] });
    at.server.reply(completion(JSON.stringify({ options: [option('ink')] })));
    expect(await failure(at.engine, options)).toMatchObject({ code: 'provider_rejected' });
  });

  test('limits the words for a style', async () => {
    const style = writing('describe-style', { measured: '{}', prompt: null });
    const keywords = Array.from({ length: 20 }, (_, i) => ` tone ${i >> 1}`);
    at.server.reply(completion(JSON.stringify({ summary: ' Calm. ', keywords })));
    expect(JSON.parse((await written(at.engine, style)).text)).toEqual({
      summary: 'Calm.',
      keywords: Array.from({ length: 10 }, (_, i) => `tone ${i}`),
    });
    for (const wrong of [{ summary: '', keywords: ['a'] }, { summary: 'Calm.', keywords: [] }, { summary: 'Calm.' }]) {
      at.server.reply(completion(JSON.stringify(wrong)));
      expect(await failure(at.engine, style)).toMatchObject({ code: 'provider_rejected' });
    }
  });

  test('reports an invalid schema as internal_error before it sends a request', async () => {
    at.server.requests.length = 0;
    const broken = { ...copy, format: { schema: { type: 'nothing' } } };
    expect(await failure(at.engine, broken)).toMatchObject({ code: 'internal_error' });
    expect(at.server.requests).toEqual([]);
  });
});

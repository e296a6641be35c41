/** The good way: what goes over the wire, and what comes back of it. */
import { expect, test } from '@jest/globals';
import { dialect } from '../../../engines/language/dialect.ts';
import { writing } from '../../../schemas/writing.ts';
import { answer } from '../../upstreams/openai-chat.ts';
import { apiKey, bench, call, failure, written } from './engine.ts';

const at = bench();
const text = writing('rewrite', { text: 'The shop opens at nine.', instructions: null });

test('a text comes back with its model, finish reason and usage', async () => {
  at.server.reply(answer('  The shop opens its doors at nine.\n', { usage: { prompt: 211, completion: 9 } }));
  expect(await call(at.engine, text)).toEqual({
    model: 'house/gpt-small',
    written: {
      text: 'The shop opens its doors at nine.',
      finishReason: 'stop',
      usage: { inputTokens: 211, outputTokens: 9 },
    },
  });
});

test('the request holds key, model and messages, and leaves open what the call leaves open', async () => {
  at.server.requests.length = 0;
  at.server.reply(answer('At nine the shop opens.'));
  await call(at.engine, text);
  const [{ headers, body }] = at.server.requests as [(typeof at.server.requests)[0]];
  expect(headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(body.model).toBe('gpt-small');
  expect(Object.keys(body).sort()).toEqual(['messages', 'model']);
  expect(body.messages[0]?.role).toBe('system');
  const last = body.messages.at(-1);
  expect(last?.role).toBe('user');
  expect(last?.content).toContain('<text>\nThe shop opens at nine.\n</text>');
});

test('tokens and temperature go along where the call names them', async () => {
  at.server.requests.length = 0;
  await call(at.engine, { ...text, maxTokens: 77, temperature: 0 });
  expect(at.server.requests[0]?.body).toMatchObject({ max_tokens: 77, temperature: 0 });
});

test('a text that ran out of tokens is given as far as it goes', async () => {
  at.server.reply(answer('The shop opens its', { finishReason: 'length' }));
  expect(await written(at.engine, text)).toMatchObject({ text: 'The shop opens its', finishReason: 'length' });
});

test.each([null, 'eos'])('a finish reason that nobody knows (%s) is other', async (finishReason) => {
  at.server.reply(answer('At nine.', { finishReason }));
  expect(await written(at.engine, text)).toMatchObject({ finishReason: 'other' });
});

test('a server that does not count has used no tokens', async () => {
  at.server.reply(answer('At nine.', { usage: null }));
  expect((await written(at.engine, text)).usage).toEqual({ inputTokens: 0, outputTokens: 0 });
});

test.each([
  ['<think>Nine? Yes.</think>\n\nAt nine.', 'At nine.'],
  ['<text>\nAt nine.\n</text>', 'At nine.'],
  ['```\nAt nine.\n```', 'At nine.'],
  ['Use <text> in HTML.', 'Use <text> in HTML.'],
])('%j is read as %j', async (content, expected) => {
  at.server.reply(answer(content));
  expect((await written(at.engine, text)).text).toBe(expected);
});

test.each([
  ['nothing', ''],
  ['white space', ' \n '],
  ['null', null],
  ['thoughts without an end', '<think>Let me see. Nine'],
])('an answer of %s is none', async (_, content) => {
  at.server.reply(answer(content, { finishReason: content?.startsWith('<') ? 'length' : 'stop' }));
  expect(await failure(at.engine, text)).toMatchObject({ code: 'provider_rejected' });
});

test('other tasks are not its own', async () => {
  const other = {
    task: 'judge-image',
    model: 'nsfw',
    idempotencyKey: 'x',
    params: { image: new Uint8Array() },
  } as const;
  const run = at.engine.run(other, { signal: new AbortController().signal });
  await expect(run).rejects.toMatchObject({ code: 'internal_error' });
});

test('OpenAI gets its newer name for the limit of tokens, others the one that they know', () => {
  const { transformRequestBody: openai } = dialect(new URL('https://api.openai.com/v1'));
  expect(openai?.({ model: 'm', max_tokens: 9 })).toEqual({ model: 'm', max_completion_tokens: 9 });
  expect(openai?.({ model: 'm' })).toEqual({ model: 'm' });
  expect(dialect(new URL('http://127.0.0.1:8080/v1'))).toEqual({});
});

test('a small model that goes on with the next question is cut off at the tag', async () => {
  at.server.reply(answer('At nine the shop opens.\n</text>\n\nRewrite the text above.'));
  expect((await written(at.engine, text)).text).toBe('At nine the shop opens.');
});

test('an option whose prompt has lost the subject gets it back', async () => {
  const options = [{ name: 'Print', description: 'A print.', prompt: 'a fox in the snow, woodblock print' }];
  at.server.reply(answer(JSON.stringify({ options })));
  const { text: json } = await written(
    at.engine,
    writing('style-options', { prompt: 'a castle in the fog', count: 1 }),
  );
  expect((JSON.parse(json) as { options: { prompt: string }[] }).options[0]?.prompt).toBe(
    'a castle in the fog, a fox in the snow, woodblock print',
  );
});

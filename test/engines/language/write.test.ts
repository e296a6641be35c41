/** Successful writing calls: the request that is sent and the result that is returned. */
import { expect, test } from '@jest/globals';
import { dialect } from '../../../engines/language/dialect.ts';
import { writing } from '../../../schemas/writing.ts';
import { completion } from '../../upstreams/openai-chat.ts';
import { apiKey, bench, call, failure, written } from './engine.ts';

const at = bench();
const text = writing('rewrite', { text: 'The shop opens at nine.', instructions: null });

test('returns the text with its model, finish reason and usage', async () => {
  at.server.reply(completion('  The shop opens its doors at nine.\n', { usage: { prompt: 211, completion: 9 } }));
  expect(await call(at.engine, text)).toEqual({
    model: 'house/gpt-small',
    written: {
      text: 'The shop opens its doors at nine.',
      finishReason: 'stop',
      usage: { inputTokens: 211, outputTokens: 9 },
    },
  });
});

test('sends key, model and messages, and only the options of the call', async () => {
  at.server.requests.length = 0;
  at.server.reply(completion('At nine the shop opens.'));
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

test('sends the token limit and the temperature of the call', async () => {
  at.server.requests.length = 0;
  await call(at.engine, { ...text, maxTokens: 77, temperature: 0 });
  expect(at.server.requests[0]?.body).toMatchObject({ max_tokens: 77, temperature: 0 });
});

test('returns a text that ran out of tokens', async () => {
  at.server.reply(completion('The shop opens its', { finishReason: 'length' }));
  expect(await written(at.engine, text)).toMatchObject({ text: 'The shop opens its', finishReason: 'length' });
});

test.each([null, 'eos'])('reports the unknown finish reason %s as other', async (finishReason) => {
  at.server.reply(completion('At nine.', { finishReason }));
  expect(await written(at.engine, text)).toMatchObject({ finishReason: 'other' });
});

test('reports no tokens when the server does not count them', async () => {
  at.server.reply(completion('At nine.', { usage: null }));
  expect((await written(at.engine, text)).usage).toEqual({ inputTokens: 0, outputTokens: 0 });
});

test.each([
  ['<think>Nine? Yes.</think>\n\nAt nine.', 'At nine.'],
  ['<text>\nAt nine.\n</text>', 'At nine.'],
  ['```\nAt nine.\n```', 'At nine.'],
  ['Use <text> in HTML.', 'Use <text> in HTML.'],
])('reads %j as %j', async (content, expected) => {
  at.server.reply(completion(content));
  expect((await written(at.engine, text)).text).toBe(expected);
});

test.each([
  ['nothing', ''],
  ['white space', ' \n '],
  ['null', null],
  ['reasoning without an end', '<think>Let me see. Nine'],
])('rejects an output of %s', async (_, content) => {
  at.server.reply(completion(content, { finishReason: content?.startsWith('<') ? 'length' : 'stop' }));
  expect(await failure(at.engine, text)).toMatchObject({ code: 'provider_rejected' });
});

test('rejects other tasks', async () => {
  const other = {
    task: 'judge-image',
    model: 'nsfw',
    idempotencyKey: 'x',
    params: { image: new Uint8Array() },
  } as const;
  const run = at.engine.run(other, { signal: new AbortController().signal });
  await expect(run).rejects.toMatchObject({ code: 'internal_error' });
});

test('sends OpenAI the new name of the token limit, and other servers the old one', () => {
  const { transformRequestBody: openai } = dialect(new URL('https://api.openai.com/v1'));
  expect(openai?.({ model: 'm', max_tokens: 9 })).toEqual({ model: 'm', max_completion_tokens: 9, store: false });
  expect(openai?.({ model: 'm' })).toEqual({ model: 'm', store: false });
  expect(dialect(new URL('http://127.0.0.1:8080/v1'))).toEqual({});
});

test('cuts the output at the closing tag when a small model continues with the next message', async () => {
  at.server.reply(completion('At nine the shop opens.\n</text>\n\nRewrite the text above.'));
  expect((await written(at.engine, text)).text).toBe('At nine the shop opens.');
});

test('restores the subject in the prompt of an option', async () => {
  const options = [{ name: 'Print', description: 'A print.', prompt: 'a fox in the snow, woodblock print' }];
  at.server.reply(completion(JSON.stringify({ options })));
  const { text: json } = await written(
    at.engine,
    writing('style-options', { prompt: 'a castle in the fog', count: 1 }),
  );
  expect((JSON.parse(json) as { options: { prompt: string }[] }).options[0]?.prompt).toBe(
    'a castle in the fog, a fox in the snow, woodblock print',
  );
});

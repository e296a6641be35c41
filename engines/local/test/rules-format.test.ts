/** JSON, token limits and refusals of the rules writer. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Purpose, styleOptions, styleWords } from '../../contract/index.ts';
import { refusal, write } from './rules-writing.ts';

const text =
  'A bamboo toothbrush with soft bristles for families. It is sold in Berlin since 2019. It often lasts three months.';
const facts = { text, instructions: null };
const json = (purpose: 'rewrite' | 'copy' | 'summarize', schema: object): unknown =>
  JSON.parse(write(purpose, facts, { format: { schema } }).text);
test('returns the JSON of the purpose for an open object schema', () => {
  expect(json('rewrite', { type: 'object' })).toEqual({ text: write('rewrite', facts).text });
  expect(Object.keys(json('copy', { type: 'object' }) as object)).toEqual(['headline', 'body', 'callToAction']);
  expect(json('summarize', { type: 'object' })).toEqual({
    summary: write('summarize', facts).text,
    sentences: [write('summarize', facts).text],
  });
});

test.each([
  { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  { type: 'array', items: { type: 'string' } },
  { type: 'object', properties: { text: { type: 'strong' } } },
])('rejects any other schema: %j', (schema) => {
  const { code, publicMessage } = refusal(() => json('rewrite', schema));
  expect(code).toBe('input_invalid');
  expect(publicMessage).toContain('configure a language model');
});

test('styles are JSON with and without their schemas', () => {
  const options = { prompt: 'a fox', count: 2 };
  expect(write('style-options', options, { format: { schema: styleOptions(2) } }).text).toBe(
    write('style-options', options).text,
  );
  const described = { measured: '', prompt: 'a cottage, watercolor, soft light' };
  expect(write('describe-style', described, { format: { schema: styleWords } }).text).toBe(
    write('describe-style', described).text,
  );
});

test('counts a token for every four code points', () => {
  const { text: out, usage, finishReason } = write('rewrite', { text: '🦊🦊 run.', instructions: null });
  expect([...out].length).toBe(7);
  expect(usage).toEqual({ inputTokens: 2, outputTokens: 2 });
  expect(finishReason).toBe('stop');
});

test('cuts a text that is too long after a sentence or a word', () => {
  const full = write('summarize', { text, instructions: '3 sentences' }).text;
  const at = (maxTokens: number): string =>
    write('summarize', { text, instructions: '3 sentences' }, { maxTokens }).text;
  expect(at(100)).toBe(full);
  expect(at(21)).toBe('A bamboo toothbrush with soft bristles for families.');
  expect(at(5)).toBe('A bamboo toothbrush');
  expect(write('summarize', facts, { maxTokens: 5 }).finishReason).toBe('length');
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 40 }),
      (words, maxTokens) => {
        fc.pre(words.trim() !== '');
        const written = write('summarize', { text: words, instructions: null }, { maxTokens });
        expect([...written.text].length).toBeLessThanOrEqual(maxTokens * 4);
        expect(written.usage.outputTokens).toBeLessThanOrEqual(maxTokens);
        const whole = write('summarize', { text: words, instructions: null }).text;
        expect(whole.startsWith(written.text)).toBe(true);
        expect(written.finishReason).toBe(written.text === whole ? 'stop' : 'length');
      },
    ),
    { numRuns: 300 },
  );
});

test('rejects JSON that is longer than maxTokens instead of cutting it', () => {
  const format = { schema: { type: 'object' } };
  for (const act of [
    () => write('summarize', facts, { format, maxTokens: 5 }),
    () => write('style-options', { prompt: 'a fox', count: 3 }, { maxTokens: 20 }),
  ]) {
    const { code, publicMessage } = refusal(act);
    expect(code).toBe('provider_rejected');
    expect(publicMessage).toContain('maxTokens');
  }
});

test.each<[Purpose, RegExp]>([
  ['translate', /cannot translate/],
  ['freeform', /cannot answer free instructions/],
])('rejects %s', (purpose, message) => {
  const { code, publicMessage } = refusal(() => write(purpose as 'translate', facts));
  expect(code).toBe('input_invalid');
  expect(publicMessage).toMatch(message);
  expect(publicMessage).toMatch(/configure a language model\.$/);
});

test('writes or rejects any text, with the same outcome each time', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          '"',
          '“',
          '”',
          '(',
          ')',
          'https://',
          'Dr. ',
          'a ',
          'an ',
          'very ',
          '3.',
          ' 4',
          '!',
          '?',
          '\n',
          '- ',
          ', but we ',
          'I',
          "n't ",
          '\u{F0000}',
          'because ',
          'for ',
          '🎉',
          '。',
        ),
        { minLength: 1, maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  );
  const instructions = fc.oneof(
    fc.constantFrom(null, 'shorter', 'formal', 'in 5 words', '2 bullet points', 'British spelling'),
    fc.string({ maxLength: 40 }),
  );
  fc.assert(
    fc.property(fc.constantFrom('rewrite', 'copy', 'summarize'), anything, instructions, (purpose, words, wish) => {
      const attempt = (): unknown => {
        try {
          return write(purpose as 'copy', { text: words, instructions: wish });
        } catch (error) {
          if ((error as Error).name !== 'EngineError') throw error;
          return (error as Error).message;
        }
      };
      expect(attempt()).toEqual(attempt());
    }),
    { numRuns: 1000 },
  );
});

test('writes 20,000 characters within 250 ms, and hostile ones within a second', () => {
  const long = `${text} `.repeat(170);
  for (const purpose of ['rewrite', 'copy', 'summarize'] as const) {
    write(purpose, { text: long, instructions: null });
    const start = performance.now();
    write(purpose, { text: long, instructions: null });
    expect(performance.now() - start).toBeLessThan(250);
  }
  for (const hostile of [
    'a'.repeat(20_000),
    '"'.repeat(20_000),
    '(('.repeat(10_000),
    '1.'.repeat(10_000),
    'A '.repeat(10_000),
    'for '.repeat(5000),
    ', but it '.repeat(2500),
    'http://'.repeat(3000),
    'a-'.repeat(10_000),
    ' '.repeat(20_000) + 'x',
    '\n'.repeat(20_000) + 'x',
  ])
    for (const purpose of ['rewrite', 'copy', 'summarize'] as const) {
      const start = performance.now();
      try {
        write(purpose, { text: hostile, instructions: 'formal' });
      } catch (error) {
        expect((error as Error).name).toBe('EngineError');
      }
      expect({ hostile: hostile.slice(0, 9), purpose, slow: performance.now() - start > 1000 }).toEqual({
        hostile: hostile.slice(0, 9),
        purpose,
        slow: false,
      });
    }
});

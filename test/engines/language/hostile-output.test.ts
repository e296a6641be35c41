/** Outputs of a model that kept a worker busy, or that failed as a bug in our code. */
import { expect, test } from '@jest/globals';
import { jsonReader, UnusableOutput } from '../../../engines/language/json.ts';
import { tidy } from '../../../engines/language/output-text.ts';
import { quote } from '../../../engines/language/quoting.ts';
import { longestPrompt } from '../../../schemas/fields.ts';
import { writing } from '../../../schemas/writing.ts';

const readJson = jsonReader({ type: 'object' }, (value) => value);

test.each([10_000, 200_000])('JSON of %d levels is unusable', (levels) => {
  expect(() => readJson(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)).toThrow(UnusableOutput);
});

test('reads JSON inside a code fence, whatever its language', () => {
  expect(readJson('Here:\n```json\n{"a":[1]}\n```\nDone.')).toBe('{"a":[1]}');
  expect(readJson('```{"a":[1]}```')).toBe('{"a":[1]}');
  expect(readJson('```JSON {"a":[1]} ``` ```{"b":1}```')).toBe('{"a":[1]}');
});

// With a pattern of quadratic time, each would take hours.
test.each(['\n', 'a', ' '])('an open code fence before eight million %j is unusable', (unit) => {
  expect(() => readJson(`\`\`\`${unit.repeat(8_000_000)}`)).toThrow(UnusableOutput);
});

test('a phrase of punctuation and a text of white space after a bracket take little time', () => {
  const prompt = `a fox ${'!'.repeat(longestPrompt - 7)}a`;
  expect(tidy(prompt, writing('enhance-prompt', { prompt: 'a fox', style: null }), false)).toBe(prompt);
  const text = `<${' '.repeat(1_000_000)}`;
  expect(quote('text', text)).toBe(`<text>\n${text}\n</text>`);
});

/** The structure of JSON is told from the texts in it, wherever in them escapes stand, and in no time. */
import { expect, test } from '@jest/globals';
import { checkStructure } from '../../api/http/json-structure.ts';

const refuses = (text: string) => checkStructure(Buffer.from(text)) !== null;
const much = 200_001;

const texts = [
  '',
  '\\',
  '"',
  '\\"',
  '\\\\"\\',
  ...Array.from({ length: 12 }, (_, index) => `${'x'.repeat(56 + index)}\\"\\\\`),
  ...Array.from({ length: 12 }, (_, index) => `${'"'.repeat(30)}${'x'.repeat(index)}${'\\'.repeat(61)}`),
  'é🦊"['.repeat(50),
];
test.each(texts)('behind and in the text %j', (text) => {
  const before = JSON.stringify(text);
  expect(refuses(`[${before}${',1'.repeat(much)}]`)).toBe(true);
  expect(refuses(`[${before},${JSON.stringify(text + '[{,'.repeat(much) + text)}]`)).toBe(false);
  expect(refuses(`[${before},${JSON.stringify(`${text},[`.repeat(much / 3))},1]`)).toBe(false);
});

test.each(['[', '{', ','])('%s counts, what closes and what stands for itself does not', (sign) => {
  expect(refuses(sign.repeat(much))).toBe(true);
  expect(refuses(sign.repeat(much - 1) + ' :]}1'.repeat(much))).toBe(false);
});

const size = 28_000_000;
test.each([
  ['one text', `"${'A'.repeat(size)}"`],
  ['a text that does not end', `"${'A'.repeat(size)}`],
  ['escaped quotes', `"${'\\"'.repeat(size / 2)}"`],
  ['escaped backslashes', `"${'\\\\'.repeat(size / 2)}"`],
  ['backslashes that escape a quote each 70th', `"${`${'\\\\'.repeat(35)}\\"`.repeat(size / 72)}"`],
  ['empty texts', '""'.repeat(size / 2)],
  ['spaces', ' '.repeat(size)],
])('28 MB of %s are read in no time', (_name, text) => {
  const bytes = Buffer.from(text);
  const began = Date.now();
  expect(checkStructure(bytes)).toBeNull();
  expect(Date.now() - began).toBeLessThan(1500);
});

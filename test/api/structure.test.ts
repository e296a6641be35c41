/** The structure check tells the structure of JSON from the strings in it, wherever escapes stand, in linear time. */
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
test.each(texts)('ignores the inside of the string %j and counts behind it', (text) => {
  const before = JSON.stringify(text);
  expect(refuses(`[${before}${',1'.repeat(much)}]`)).toBe(true);
  expect(refuses(`[${before},${JSON.stringify(text + '[{,'.repeat(much) + text)}]`)).toBe(false);
  // Just enough commas and brackets to exceed the limit if they counted.
  const inside = 2 + [...text].filter((sign) => '[{,'.includes(sign)).length;
  expect(refuses(`[${before},${JSON.stringify(`${text},[`.repeat(Math.ceil(much / inside)))},1]`)).toBe(false);
});

test.each(['[', '{', ','])('counts %s; does not count closing brackets, colons and values', (sign) => {
  expect(refuses(sign.repeat(much))).toBe(true);
  expect(refuses(sign.repeat(much - 1) + ' :]}1'.repeat(much))).toBe(false);
});

const size = 28_000_000;
test.each([
  ['one string', `"${'A'.repeat(size)}"`],
  ['a string that does not end', `"${'A'.repeat(size)}`],
  ['escaped quotes', `"${'\\"'.repeat(size / 2)}"`],
  ['escaped backslashes', `"${'\\\\'.repeat(size / 2)}"`],
  ['backslashes that escape a quote each 70th', `"${`${'\\\\'.repeat(35)}\\"`.repeat(size / 72)}"`],
  ['empty strings', '""'.repeat(size / 2)],
  ['spaces', ' '.repeat(size)],
])('checks 28 MB of %s in linear time', (_name, text) => {
  const bytes = Buffer.from(text);
  const small = cpuOf(() => checkStructure(bytes.subarray(0, size / 16)));
  const large = cpuOf(() => expect(checkStructure(bytes)).toBeNull());
  // 16 times the input takes about 16 times as long; in quadratic time it would take 256 times as long.
  expect(large).toBeLessThan(64 * Math.max(small, 20));
});

/** Milliseconds of processor time, which other processes stretch less than the clock. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

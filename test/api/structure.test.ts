/** The structure check counts structure outside strings only, wherever escapes occur, in linear time. */
import { expect, test } from '@jest/globals';
import { checkStructure } from '../../api/http/json-structure.ts';

const isRejected = (text: string) => checkStructure(Buffer.from(text)) !== null;
/** One token more than `checkStructure` accepts. */
const overLimit = 200_001;

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
test.each(texts)('ignores the inside of the string %j and counts after it', (text) => {
  const before = JSON.stringify(text);
  expect(isRejected(`[${before}${',1'.repeat(overLimit)}]`)).toBe(true);
  expect(isRejected(`[${before},${JSON.stringify(text + '[{,'.repeat(overLimit) + text)}]`)).toBe(false);
  // Just enough commas and brackets to exceed the limit if they counted.
  const inside = 2 + [...text].filter((sign) => '[{,'.includes(sign)).length;
  expect(isRejected(`[${before},${JSON.stringify(`${text},[`.repeat(Math.ceil(overLimit / inside)))},1]`)).toBe(false);
});

test.each(['[', '{', ','])('counts %s; does not count closing brackets, colons and values', (sign) => {
  expect(isRejected(sign.repeat(overLimit))).toBe(true);
  expect(isRejected(sign.repeat(overLimit - 1) + ' :]}1'.repeat(overLimit))).toBe(false);
});

const size = 7_000_000;
test.each([
  ['one string', `"${'A'.repeat(size)}"`],
  ['a string that does not end', `"${'A'.repeat(size)}`],
  ['escaped quotes', `"${'\\"'.repeat(size / 2)}"`],
  ['escaped backslashes', `"${'\\\\'.repeat(size / 2)}"`],
  ['backslashes that escape a quote each 70th', `"${`${'\\\\'.repeat(35)}\\"`.repeat(size / 72)}"`],
  ['empty strings', '""'.repeat(size / 2)],
  ['spaces', ' '.repeat(size)],
])('checks 7 MB of %s in linear time', (_name, text) => {
  const bytes = Buffer.from(text);
  const small = cpuOf(() => checkStructure(bytes.subarray(0, size / 16)));
  expect(checkStructure(bytes)).toBeNull();
  const large = cpuOf(() => checkStructure(bytes));
  // 16 times the input takes about 16 times as long; in quadratic time it would take 256 times as long.
  expect(large).toBeLessThan(64 * Math.max(small, 5));
});

/** Returns the least processor time of three runs in milliseconds, which neither other processes nor threads stretch. */
function cpuOf(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

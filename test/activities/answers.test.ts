/** What receivers' answers mean for the tries that follow. */
import { expect, test } from '@jest/globals';
import { explain, isFinal, retryAfter } from '../../activities/answers.ts';

test.each([
  [200, true, null],
  [204, true, null],
  [299, true, null],
  [302, false, 'redirects are not followed'],
  [410, true, 'the receiver wants no more tries'],
  [404, false, 'the receiver answered 404'],
  [500, false, 'the receiver answered 500'],
  [null, false, null],
])('%s', (status, final, words) => {
  expect(isFinal(status)).toBe(final);
  expect(explain(status)).toBe(words);
});

const now = Date.UTC(2026, 0, 1, 12, 0, 0);
const day = 24 * 3600_000;

test.each([
  [null, 0],
  ['7', 7000],
  [' 7 ', 7000],
  ['0', 0],
  ['-5', 0],
  ['Thu, 01 Jan 2026 12:01:00 GMT', 60_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['soon', 0],
  ['', 0],
  ['99999999999999', day],
  ['Fri, 01 Jan 2027 12:00:00 GMT', day],
])('Retry-After %j is %i ms', (value, wait) => {
  expect(retryAfter(value, now)).toBe(wait);
});

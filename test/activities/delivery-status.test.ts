/** The effect of receivers' responses on later attempts. */
import { expect, test } from '@jest/globals';
import { describeStatus, isFinalStatus, parseRetryAfter } from '../../activities/delivery-status.ts';

test.each([
  [200, true, null],
  [204, true, null],
  [299, true, null],
  [302, false, 'redirects are not followed'],
  [410, true, 'the receiver accepts no more deliveries (410)'],
  [404, false, 'the receiver responded with 404'],
  [500, false, 'the receiver responded with 500'],
  [null, false, null],
])('interprets the status %s', (status, final, words) => {
  expect(isFinalStatus(status)).toBe(final);
  expect(describeStatus(status)).toBe(words);
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
  expect(parseRetryAfter(value, now)).toBe(wait);
});

/** A healthy provider with more calls than slots: calls wait in its queue, in order, however many workers there are. */
import { beforeAll, expect, jest, test } from '@jest/globals';
import { displacements, saturate, type Saturation } from '../support/saturate.ts';
import { shared } from '../support/shared.ts';

jest.setTimeout(600_000);

const calls = { first: 150, other: 50 };
let saturation: Saturation;

beforeAll(async () => {
  saturation = await saturate(shared(), { workers: 8, concurrent: 2, jobTime: 250, calls });
}, 600_000);

test('every artwork succeeds at its first attempt: the provider never counts as down', () => {
  expect(saturation).toMatchObject({ ended: { SUCCEEDED: 200 }, failedAttempts: 0 });
  expect(saturation.submissions).toHaveLength(200);
});

test('no more jobs run than the provider has slots', () => {
  expect(saturation.mostRunning).toBe(2);
});

test('the calls of an organization start in the order in which they were queued', () => {
  const moved = displacements(saturation, 'first');
  // Temporal may swap calls that it gets within a few milliseconds.
  expect(Math.max(...moved)).toBeLessThan(25);
});

test('the burst of one organization does not delay the calls of another', () => {
  const last = saturation.submissions.findLastIndex(({ organization }) => organization === 'other');
  // Alternating, the last of 50 calls would be at place 100; in one line, at place 200.
  expect(last).toBeLessThan(120);
});

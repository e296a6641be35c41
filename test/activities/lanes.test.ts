/** How many tries one host gets at once, and when it counts as slow. */
import { expect, test } from '@jest/globals';
import { createLanes } from '../../activities/lanes.ts';

test('quick: four at once to a host, and each that leaves makes room for one', () => {
  const { quick } = createLanes(() => 0);
  const places = Array.from({ length: 4 }, () => quick('a'));
  expect(places.every(Boolean)).toBe(true);
  expect(quick('a')).toBeNull();
  expect(quick('b')).not.toBeNull();
  places[0]?.leave();
  expect(quick('a')).not.toBeNull();
  expect(quick('a')).toBeNull();
});

test('quick: a host that took more than a second is slow for a minute, others are not', () => {
  let now = 0;
  const { quick, slow } = createLanes(() => now);
  const place = quick('a');
  now = 1001;
  place?.leave();
  expect(quick('a')).toBeNull();
  expect(slow('a')).not.toBeNull();
  expect(quick('b')).not.toBeNull();
  now += 60_000;
  expect(quick('a')).not.toBeNull();
});

test('slow: ten at once to a host, beside those on the quick lane', () => {
  const { quick, slow } = createLanes(() => 0);
  const places = Array.from({ length: 10 }, () => slow('a'));
  expect(places.every(Boolean)).toBe(true);
  expect(slow('a')).toBeNull();
  expect(slow('b')).not.toBeNull();
  expect(quick('a')).not.toBeNull();
  places.forEach((place) => place?.leave());
  expect(slow('a')).not.toBeNull();
});

/** The number of concurrent deliveries per host, and when a host counts as slow. */
import { expect, test } from '@jest/globals';
import { createDeliverySlots } from '../../activities/delivery-slots.ts';

test('fast: gives each host four slots and reuses a released slot', () => {
  const { fast } = createDeliverySlots(() => 0);
  const slots = Array.from({ length: 4 }, () => fast('a'));
  expect(slots.every(Boolean)).toBe(true);
  expect(fast('a')).toBeNull();
  expect(fast('b')).not.toBeNull();
  slots[0]?.release();
  expect(fast('a')).not.toBeNull();
  expect(fast('a')).toBeNull();
});

test('fast: refuses a host for a minute after a delivery of more than a second, but no other host', () => {
  let now = 0;
  const { fast, slow } = createDeliverySlots(() => now);
  const slot = fast('a');
  now = 1001;
  slot?.release();
  expect(fast('a')).toBeNull();
  expect(slow('a')).not.toBeNull();
  expect(fast('b')).not.toBeNull();
  now += 60_000;
  expect(fast('a')).not.toBeNull();
});

test('slow: gives each host ten slots, independent of the fast slots', () => {
  const { fast, slow } = createDeliverySlots(() => 0);
  const slots = Array.from({ length: 10 }, () => slow('a'));
  expect(slots.every(Boolean)).toBe(true);
  expect(slow('a')).toBeNull();
  expect(slow('b')).not.toBeNull();
  expect(fast('a')).not.toBeNull();
  slots.forEach((slot) => slot?.release());
  expect(slow('a')).not.toBeNull();
});

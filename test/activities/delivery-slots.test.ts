/** The number of concurrent deliveries per host and per organization, and when a host counts as slow. */
import { expect, test } from '@jest/globals';
import { type AcquireSlot, createDeliverySlots } from '../../activities/delivery-slots.ts';

/** Acquires slots for one organization. */
const forOne =
  (acquire: AcquireSlot): ((host: string) => ReturnType<AcquireSlot>) =>
  (host) =>
    acquire({ org: 'org_one', host });
const createSlots = (now: () => number) => {
  const { fast, slow } = createDeliverySlots(now);
  return { fast: forOne(fast), slow: forOne(slow) };
};

test('fast: gives an organization four slots of a host and reuses a released slot', () => {
  const { fast } = createSlots(() => 0);
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
  const { fast, slow } = createSlots(() => now);
  const slot = fast('a');
  now = 1001;
  slot?.release();
  expect(fast('a')).toBeNull();
  expect(slow('a')).not.toBeNull();
  expect(fast('b')).not.toBeNull();
  now += 60_000;
  expect(fast('a')).not.toBeNull();
});

test('slow: gives an organization ten slots of a host, independent of the fast slots', () => {
  const { fast, slow } = createSlots(() => 0);
  const slots = Array.from({ length: 10 }, () => slow('a'));
  expect(slots.every(Boolean)).toBe(true);
  expect(slow('a')).toBeNull();
  expect(slow('b')).not.toBeNull();
  expect(fast('a')).not.toBeNull();
  slots.forEach((slot) => slot?.release());
  expect(slow('a')).not.toBeNull();
});

test.each([
  ['fast', 20],
  ['slow', 40],
] as const)('%s: gives each organization %i slots over all hosts, and reuses a released slot', (kind, limit) => {
  const acquire = createDeliverySlots(() => 0)[kind];
  const slots = Array.from({ length: limit }, (_, index) => acquire({ org: 'org_one', host: `host-${index}` }));
  expect(slots.every(Boolean)).toBe(true);
  expect(acquire({ org: 'org_one', host: 'another' })).toBeNull();
  expect(acquire({ org: 'org_two', host: 'another' })).not.toBeNull();
  slots[0]?.release();
  expect(acquire({ org: 'org_one', host: 'another' })).not.toBeNull();
  expect(acquire({ org: 'org_one', host: 'another' })).toBeNull();
});

test.each([
  ['fast', 8],
  ['slow', 20],
] as const)('%s: gives each host %i slots over all organizations', (kind, limit) => {
  const acquire = createDeliverySlots(() => 0)[kind];
  const each = limit / 2;
  const slots = ['org_one', 'org_two'].flatMap((org) =>
    Array.from({ length: each }, () => acquire({ org, host: 'a' })),
  );
  expect(slots.every(Boolean)).toBe(true);
  expect(acquire({ org: 'org_three', host: 'a' })).toBeNull();
  slots[0]?.release();
  expect(acquire({ org: 'org_three', host: 'a' })).not.toBeNull();
});

test.each(['fast', 'slow'] as const)('%s: a refusal for one reason occupies no slot of the other', (kind) => {
  const acquire = createDeliverySlots(() => 0)[kind];
  const ofRoute = kind === 'fast' ? 4 : 10;
  const ofHost = ['org_two', 'org_three'].flatMap((org) =>
    Array.from({ length: ofRoute }, () => acquire({ org, host: 'busy' })),
  );
  // The host is full, so none of these may count against the organization.
  for (let index = 0; index < 50; index++) expect(acquire({ org: 'org_one', host: 'busy' })).toBeNull();
  expect(acquire({ org: 'org_one', host: 'free' })).not.toBeNull();
  // The organization is full, so none of these may count against the host.
  for (let index = 0; index < 50; index++) acquire({ org: 'org_one', host: `host-${index}` });
  ofHost.forEach((slot) => slot?.release());
  for (let index = 0; index < 50; index++) expect(acquire({ org: 'org_one', host: 'busy' })).toBeNull();
  expect(acquire({ org: 'org_two', host: 'busy' })).not.toBeNull();
});

/** Requests without a valid key are counted by address for a minute each, and memory has a bound. */
import { expect, test } from '@jest/globals';
import { createAddressRates } from '../../api/http/address-rates.ts';

test('counts each address for a minute from its first request', () => {
  let now = 1000;
  const rates = createAddressRates(() => now);
  expect(rates.increment('203.0.113.7')).toEqual({ count: 1, left: 60_000 });
  now += 59_999;
  expect(rates.increment('203.0.113.7')).toEqual({ count: 2, left: 1 });
  expect(rates.increment('203.0.113.8')).toEqual({ count: 1, left: 60_000 });
  now += 1;
  expect(rates.increment('203.0.113.7')).toEqual({ count: 1, left: 60_000 });
  expect(rates.increment('203.0.113.8')).toEqual({ count: 2, left: 59_999 });
});

test('forgets the oldest address when there are too many', () => {
  const rates = createAddressRates(() => 0);
  for (let address = 0; address < 100_000; address += 1) rates.increment(`address ${address}`);
  expect(rates.increment('address 99999').count).toBe(2);
  rates.increment('one more');
  expect(rates.increment('address 99999').count).toBe(3);
  expect(rates.increment('address 0').count).toBe(1);
});

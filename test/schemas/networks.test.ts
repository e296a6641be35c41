/** Addresses and networks of allow-lists. */
import { expect, test } from '@jest/globals';
import { isInNetworks, isNetwork } from '../../schemas/networks.ts';

test.each(['203.0.113.7', '203.0.113.0/24', '203.0.113.7/24', '0.0.0.0/0', '::1', '2001:db8::/32', '2001:DB8::1'])(
  'accepts %s',
  (text) => expect(isNetwork(text)).toBe(true),
);

test.each([
  '',
  '10',
  '10.0.0',
  '010.0.0.1',
  '10.0.0.1/33',
  '10.0.0.1/',
  '::1/129',
  '::ffff:10.0.0.1',
  '0::ffff:10.0.0.1/120',
  'fe80::1%eth0',
  'a',
])('rejects "%s"', (text) => expect(isNetwork(text)).toBe(false));

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.8', '203.0.113.7', false],
  ['203.0.113.255', '203.0.113.7/24', true],
  ['203.0.114.0', '203.0.113.0/24', false],
  ['::ffff:203.0.113.7', '203.0.113.0/24', true],
  ['203.0.113.7', '::/0', false],
  ['2001:db8::1', '0.0.0.0/0', false],
  ['2001:db8:0:1::9', '2001:db8::/48', true],
  ['2001:db8::1', '2001:0db8:0:0::1', true],
  ['unknown', '0.0.0.0/0', false],
])('%s in %s: %s', (address, network, expected) => {
  expect(isInNetworks(address, ['198.51.100.1', network])).toBe(expected);
});

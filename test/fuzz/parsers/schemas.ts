/** Texts in requests that functions of `schemas/` read: addresses, networks, references to images, days. */
import { hostOf, refuseAddress } from '../../../schemas/addresses.ts';
import { spanOf } from '../../../schemas/days.ts';
import { readImageSource, refuseImageAddress, refuseImageSource } from '../../../schemas/image-source.ts';
import { isInNetworks, isNetwork, longestNetwork } from '../../../schemas/networks.ts';
import type { Parsers } from '../parser.ts';

const addresses = [
  'https://example.com/photo.jpg?size=1#top',
  'http://user:password@[2001:db8::1]:8080/a/../b',
  'https://0x7f.1/…',
  'https://xn--bcher-kva.example./',
  'https://münchen.example/%2e%2e/',
];
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const parsers: Parsers = {
  'a webhookUrl': {
    modules: ['schemas/addresses.ts'],
    examples: addresses,
    parse(input) {
      if (refuseAddress(input, ['internal.example']) === null) hostOf(new URL(input));
    },
  },
  'an image of a request': {
    modules: ['schemas/image-source.ts'],
    examples: [...addresses, 'file_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', `data:image/png;charset=a;base64,${pixel}`],
    parse(input) {
      readImageSource(input);
      refuseImageSource(input, []);
      refuseImageAddress(input, ['localhost']);
    },
  },
  'an allowed address of a key': {
    modules: ['schemas/networks.ts'],
    examples: ['203.0.113.7', '203.0.113.0/24', '2001:db8::/32', '::ffff:192.0.2.1', 'fe80::1%eth0'],
    longest: longestNetwork,
    parse(input) {
      // The address of a client and the networks of a key.
      isInNetworks(input, ['203.0.113.0/24', '2001:db8::/32']);
      if (isNetwork(input)) isInNetworks('203.0.113.7', [input]);
    },
  },
  'a range of days': {
    modules: ['schemas/days.ts'],
    examples: ['2026-11-21', '2000-02-29', '9999-12-31'],
    parse: (input) => [spanOf({ from: input }, new Date(0)), spanOf({ to: input, from: [input] }, new Date(0))],
  },
};

export const open = () => Promise.resolve({ parsers, close: () => Promise.resolve() });

/** Signed links, ids, names of files, and ciphertexts in the database. */
import { formatOf, keyIdOf } from '../../../store/ciphertext.ts';
import { checkName } from '../../../store/files/name.ts';
import { isId } from '../../../store/ids.ts';
import { openLinks } from '../../../store/links.ts';
import { openVault } from '../../../store/vault.ts';
import { Violation } from '../measure.ts';
import { bytesOf, type Parsers } from '../parser.ts';

const vault = openVault('a secret of the fuzz test, 1234567890', 'the previous secret, 1234567890');
const links = openLinks(vault, 'https://api.example.com');
const link = new URL(links.make('art_1', 'image-1.png', new Date(10_000)));
const genuine = link.searchParams.get('signature') ?? '';

const isError = (error: unknown) => error instanceof Error && error.constructor === Error;

const parsers: Parsers = {
  'the signature of a link': {
    modules: ['store/links.ts', 'store/vault.ts'],
    examples: [genuine],
    parse(input) {
      const isAccepted = links.check('art_1', 'image-1.png', '10', input, 0);
      if (isAccepted && input !== genuine) throw new Violation('accepts another signature');
    },
  },
  'the expiry of a link': {
    modules: ['store/links.ts'],
    examples: ['10', '1767225600'],
    parse(input) {
      const isAccepted = links.check('art_1', 'image-1.png', input, genuine, 0);
      if (isAccepted && input !== '10') throw new Violation('accepts another expiry');
    },
  },
  'a ciphertext': {
    modules: ['store/ciphertext.ts', 'store/vault.ts'],
    examples: (['bound', 'plain'] as const).map((format) =>
      vault.encrypt('whsec_1', 'org_1', format).toString('latin1'),
    ),
    mayThrow: isError,
    parse(input) {
      formatOf(bytesOf(input));
      keyIdOf(bytesOf(input));
      vault.isCurrent(bytesOf(input));
      if (vault.decrypt(bytesOf(input), 'org_1') !== 'whsec_1') throw new Violation('decrypts a changed text');
    },
  },
  'an id': {
    modules: ['store/ids.ts'],
    examples: ['art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'],
    parse: (input) => isId('art', input),
  },
  'the name of a file': {
    modules: ['store/files/name.ts'],
    examples: ['image-1.png', 'art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'],
    mayThrow: isError,
    parse(input) {
      if (/[/\\\0]|^\.\.?$/.test(checkName(input))) throw new Violation('accepts a path');
    },
  },
};

export const open = () => Promise.resolve({ parsers, close: () => Promise.resolve() });

/** The page on cryptography lists what the code uses. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const rooms = 'activities api engines images operator runtime schemas services store workers workflows'.split(' ');
const files = execFileSync('git', ['ls-files', ...rooms], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.m?[jt]s$/.test(file) && !file.startsWith('engines/local/test/'));

/** The names that each file imports from `node:crypto`, in alphabetical order. */
const used = files.flatMap((file) => {
  const names = /import \{([^}]+)\} from 'node:crypto'/.exec(readFileSync(file, 'utf8'))?.[1]?.split(',');
  const values = names?.map((name) => name.trim()).filter((name) => name !== '' && !name.startsWith('type '));
  return values ? [[file, values.sort()]] : [];
});

test('the page lists each file of the service that uses cryptography, with what it uses', () => {
  const rows = readFileSync('docs/security/cryptography.md', 'utf8').matchAll(
    /^\| `([\w/.-]+\/[\w.-]+)` +\| (.*?) +\| /gm,
  );
  const listed = [...rows].map(([, file, names = '']) => [file, names.replaceAll('`', '').split(', ').sort()]);
  expect(listed).toEqual(used);
});

/** Imports that the first test would not see, and packages with cryptography of their own. */
const others = [
  /from 'crypto'/,
  /import (\* as )?\w+ from 'node:crypto'/,
  /import\('node:crypto'\)/,
  /from '(@noble|bcrypt|argon2|crypto-js|jose|jsonwebtoken|libsodium|node-forge|tweetnacl)/,
];

test('no file uses cryptography other than that of Node, and that of the browser in the playground', () => {
  expect(used.length).toBeGreaterThan(10);
  const wrong = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    const usesBrowser = text.includes('crypto.subtle') && !file.startsWith('api/playground/');
    return usesBrowser || others.some((other) => other.test(text));
  });
  expect(wrong).toEqual([]);
});

/** Detection of missing packages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isInstalled } from '../../scripts/install.mjs';
import { testFolder } from './folder.ts';

const folder = testFolder();
const wanted = {
  '': { name: 'root' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/for-windows': { version: '1.0.0', integrity: 'sha512-w', optional: true },
};

function project(name: string, present: object | null): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  if (present !== null) {
    writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }));
  }
  return root;
}

test.each([
  ['nothing installed', null, false],
  ['all but another platform', { 'node_modules/a': wanted['node_modules/a'] }, true],
  ['an older version', { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-old' } }, false],
  ['a package missing', {}, false],
])('isInstalled with %s: %s', (name, present, expected) => {
  expect(isInstalled(project(name, present))).toBe(expected);
});

test('finds the packages of this project installed', () => {
  expect(isInstalled(process.cwd())).toBe(true);
});

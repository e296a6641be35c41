/** The list of allowed install scripts matches the lock file. */
import { expect, test } from '@jest/globals';
import type { LockedPackage } from '../../scripts/supply-chain/lock-file.ts';
import { wrongInstallScripts } from '../../scripts/supply-chain/install-scripts.ts';

function locked(name: string, more: Partial<LockedPackage> = {}): LockedPackage {
  return { path: `node_modules/${name}`, name, version: '1.0.0', hasInstallScript: true, ...more };
}

test('accepts a list that names every package with an install script', () => {
  const packages = [locked('builds', { dev: true }), locked('tracks'), locked('plain', { hasInstallScript: false })];
  expect(wrongInstallScripts(packages, { builds: true, tracks: false })).toEqual([]);
});

test('reports a package with an install script that is not on the list', () => {
  const nested = locked('tracks', { path: 'node_modules/a/node_modules/tracks' });
  expect(wrongInstallScripts([nested], {})).toEqual([
    'tracks has an install script. Add it to "allowScripts" in package.json, false if possible.',
  ]);
});

test('reports an entry without a package, and one whose package has no install script', () => {
  expect(wrongInstallScripts([locked('plain', { hasInstallScript: false })], { gone: false, plain: true })).toEqual([
    'No package gone has an install script. Remove it from "allowScripts" in package.json.',
    'No package plain has an install script. Remove it from "allowScripts" in package.json.',
  ]);
});

test('reports a production package that may run its install script', () => {
  expect(wrongInstallScripts([locked('builds')], { builds: true })).toEqual([
    'builds is a production package, whose scripts never run. Set it to false in "allowScripts".',
  ]);
});

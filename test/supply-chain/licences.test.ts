/** The check of licences. */
import { expect, test } from '@jest/globals';
import type { LicenceException } from '../../scripts/supply-chain/allowed-licences.ts';
import type { LockedPackage } from '../../scripts/supply-chain/lock-file.ts';
import { licenceOf, wrongLicences } from '../../scripts/supply-chain/licences.ts';

const allowed = ['MIT', 'Apache-2.0'];

function locked(name: string, license?: string): LockedPackage {
  return { path: `node_modules/${name}`, name, version: '1.0.0', ...(license === undefined ? {} : { license }) };
}

function wrong(packages: LockedPackage[], ...exceptions: LicenceException[]): string[] {
  return wrongLicences(packages, { allowed, exceptions });
}

test.each(['MIT', 'Apache-2.0 AND MIT', '(GPL-3.0-only OR MIT)'])('accepts %s', (licence) => {
  expect(wrong([locked('a', licence)])).toEqual([]);
});

test.each(['GPL-3.0-only', 'GPL-3.0-only AND MIT', 'AGPL-3.0-or-later', 'SEE LICENSE IN README.md', 'UNLICENSED'])(
  'rejects %s',
  (licence) => {
    expect(wrong([locked('a', licence)])).toEqual([`a 1.0.0 has a licence that is not allowed: ${licence}`]);
  },
);

test('rejects a package without a licence', () => {
  expect(wrong([locked('a')])).toEqual(['a 1.0.0 has a licence that is not allowed: none']);
});

test('accepts an exception for the names and the licence that it states, and for no others', () => {
  const exception = { packages: '@img/*', licence: 'LGPL-3.0-or-later', reason: 'a shared library' };
  expect(wrong([locked('@img/vips', 'LGPL-3.0-or-later')], exception)).toEqual([]);
  expect(wrong([locked('@img/vips', 'GPL-3.0-only'), locked('vips', 'LGPL-3.0-or-later')], exception)).toEqual([
    '@img/vips 1.0.0 has a licence that is not allowed: GPL-3.0-only',
    'vips 1.0.0 has a licence that is not allowed: LGPL-3.0-or-later',
    'No package needs the exception for @img/* (LGPL-3.0-or-later). Remove it.',
  ]);
});

test('an exception for a package without a licence holds for one version', () => {
  const exception = { packages: 'a', version: '1.0.0', licence: 'MIT', reason: 'read' };
  expect(wrong([locked('a')], exception)).toEqual([]);
  expect(licenceOf(locked('a'), [exception])).toBe('MIT');
  expect(wrong([{ ...locked('a'), version: '1.0.1' }], exception)).toHaveLength(2);
});

/** The SBOM that npm writes is valid CycloneDX, and complete. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validation, type Spec } from '@cyclonedx/cyclonedx-library';
import { beforeAll, expect, test } from '@jest/globals';
import { lockedPackages, productionPackages, type LockedPackage } from '../../scripts/supply-chain/lock-file.ts';
import { testFolder } from '../scripts/folder.ts';

interface Bom {
  specVersion: Spec.Version;
  metadata: { component: { name: string } };
  components: { 'bom-ref': string; name: string; purl: string; hashes?: { content: string }[] }[];
}

const folder = testFolder();
let whole: string;
let installed: string;
beforeAll(() => {
  whole = write('whole');
  installed = write('installed', '--installed');
});

function write(name: string, ...options: string[]): string {
  const file = join(folder, name);
  execFileSync(process.execPath, ['scripts/image/sbom.mjs', file, ...options], { stdio: 'pipe' });
  return readFileSync(file, 'utf8');
}

const { name, version } = JSON.parse(readFileSync('engines/local/package.json', 'utf8')) as Record<string, string>;
/** The package of this project, which has no hash. */
const own = `${name}@${version}`;
const referencesOf = (text: string) => (JSON.parse(text) as Bom).components.map((one) => one['bom-ref']).sort();
const distinct = (packages: LockedPackage[]) =>
  [...new Set(packages.map(({ name, version }) => `${name}@${version}`))].sort();

test('is valid CycloneDX', async () => {
  for (const text of [whole, installed]) {
    const { specVersion } = JSON.parse(text) as Bom;
    expect(await new Validation.JsonStrictValidator(specVersion).validate(text)).toBeNull();
    const broken = text.replace('"bomFormat": "CycloneDX"', '"bomFormat": "other"');
    expect(await new Validation.JsonStrictValidator(specVersion).validate(broken)).not.toBeNull();
  }
});

test('lists every production package of the lock file with its hash, and no other', () => {
  const expected = distinct(productionPackages(lockedPackages('.')));
  expect(expected.length).toBeGreaterThan(300);
  expect(referencesOf(whole)).toEqual([...expected, own].sort());
  const { components, metadata } = JSON.parse(whole) as Bom;
  expect(metadata.component.name).toBe('atelier');
  expect(components.filter(({ hashes }) => hashes === undefined).map((one) => one['bom-ref'])).toEqual([own]);
});

test('lists only the installed packages where these are wanted', () => {
  const record = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')) as { packages: object };
  const here = productionPackages(lockedPackages('.')).filter(({ path }) => path in record.packages);
  expect(referencesOf(installed)).toEqual([...distinct(here), own].sort());
  expect(referencesOf(installed).length).toBeLessThan(referencesOf(whole).length);
});

test('is the same file for the same packages', () => {
  expect(write('again')).toBe(whole);
});

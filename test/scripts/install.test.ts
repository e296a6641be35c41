/** Detection and installation of missing packages. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { install, isInstalled } from '../../scripts/install.mjs';
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

/** Makes a package whose install script writes the file `ran`, or fails. Returns the name of its archive. */
function pack(name: string, script = `require('fs').writeFileSync('ran', '')`): string {
  const source = join(folder, 'sources', name);
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'script.js'), script);
  const manifest = { name, version: '1.0.0', scripts: { postinstall: 'node script.js' } };
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source });
  return `${name}-1.0.0.tgz`;
}

/** Writes a project that depends on the archives, with its lock file. */
function projectOf(name: string, archives: string[], allowScripts: Record<string, boolean>): string {
  const root = join(folder, name);
  mkdirSync(root);
  const dependencies = Object.fromEntries(archives.map((file) => [file.replace('-1.0.0.tgz', ''), `file:../${file}`]));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ private: true, dependencies, allowScripts }));
  execFileSync('npm', ['install', '--package-lock-only', '--silent'], { cwd: root });
  return root;
}

const run = { log: () => undefined, onChild: () => undefined };

test('runs only the install scripts that package.json allows', async () => {
  const archives = [pack('allowed'), pack('refused'), pack('unlisted')];
  const root = projectOf('some-allowed', archives, { allowed: true, refused: false, 'for-windows': true });
  await install(root, run);
  const ran = (name: string) => existsSync(join(root, 'node_modules', name, 'ran'));
  expect(['allowed', 'refused', 'unlisted'].filter(ran)).toEqual(['allowed']);
  expect(isInstalled(root)).toBe(true);
});

test('repeats an install whose script has failed', async () => {
  const root = projectOf('failing', [pack('failing', 'process.exit(1)')], { failing: true });
  await expect(install(root, run)).rejects.toThrow('npm rebuild failed (exit code 1)');
  expect(isInstalled(root)).toBe(false);
});

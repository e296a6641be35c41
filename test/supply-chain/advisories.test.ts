/** `npm run advisories` against a registry: npm itself reads the lock file and the registry's responses. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { AcceptedAdvisory } from '../../scripts/supply-chain/advisories.ts';
import { testFolder } from '../scripts/folder.ts';
import { startRegistry, type Advisories, type Registry } from './registry.ts';

const folder = testFolder();
let registry: Registry;
afterEach(() => registry.close());

/** An advisory of 2022, in the form in which registries send it. */
const minimist = {
  id: 1097678,
  url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h',
  title: 'Prototype Pollution in minimist',
  severity: 'critical',
  vulnerable_versions: '>=1.0.0 <1.2.6',
  cwe: ['CWE-1321'],
  cvss: { score: 9.8, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
};

/** A project with the packages `tool` (development only), `made` (production) and `minimist`, which both depend on. */
function project(accepted: AcceptedAdvisory[], { onlyDevelopment = false } = {}): string {
  const root = join(folder, Math.random().toString(36).slice(2));
  mkdirSync(join(root, '.ci'), { recursive: true });
  const own = {
    name: 'project',
    version: '1.0.0',
    devDependencies: { tool: '1.2.5' },
    ...(onlyDevelopment ? {} : { dependencies: { made: '1.2.5' } }),
  };
  const entry = { version: '1.2.5', integrity: `sha512-${Buffer.alloc(64).toString('base64')}` };
  const packages = {
    '': own,
    'node_modules/minimist': { ...entry, ...(onlyDevelopment ? { dev: true } : {}) },
    'node_modules/tool': { ...entry, dev: true, dependencies: { minimist: '^1.2.5' } },
    ...(onlyDevelopment ? {} : { 'node_modules/made': { ...entry, dependencies: { minimist: '^1.2.5' } } }),
  };
  const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(root, 'package.json'), JSON.stringify(own));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(join(root, '.ci/accepted-advisories.json'), JSON.stringify(accepted));
  return root;
}

async function check(root: string, advisories: Advisories): Promise<{ code: number; stdout: string; stderr: string }> {
  registry = await startRegistry(advisories);
  const env = { ...process.env, NODE_OPTIONS: '', npm_config_registry: registry.url, npm_config_fetch_retries: '0' };
  return new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', 'scripts/check-advisories.ts', root];
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const acceptance = (until: string): AcceptedAdvisory => ({
  ...{ id: 'GHSA-xvch-5gv4-984h', package: 'minimist', until },
  reason: 'Only our own code calls it.',
});

test('passes without advisories, and sends the registry no package that only development needs', async () => {
  expect(await check(project([]), {})).toMatchObject({ code: 0, stderr: '' });
  expect(registry.asked).toEqual([{ made: ['1.2.5'], minimist: ['1.2.5'] }]);
});

test('fails for an advisory of a production package, also one on which another depends', async () => {
  const { code, stderr } = await check(project([]), { minimist: [minimist] });
  expect(code).toBe(1);
  expect(stderr).toBe(
    'minimist >=1.0.0 <1.2.6: Prototype Pollution in minimist (critical, GHSA-xvch-5gv4-984h). ' +
      'See https://github.com/advisories/GHSA-xvch-5gv4-984h.\n',
  );
});

test('passes for an advisory of a package that only development needs', async () => {
  expect(await check(project([], { onlyDevelopment: true }), { minimist: [minimist] })).toMatchObject({ code: 0 });
});

test('passes for an accepted advisory until its last day', async () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(await check(project([acceptance(today)]), { minimist: [minimist] })).toMatchObject({
    code: 0,
    stdout: 'No advisory of a production package is open; 1 are accepted for a time.\n',
  });
});

test('fails for an accepted advisory after its last day', async () => {
  const { code, stderr } = await check(project([acceptance('2026-01-31')]), { minimist: [minimist] });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'GHSA-xvch-5gv4-984h in minimist was accepted until 2026-01-31: Only our own code calls it. Decide again.\n',
  });
});

test('fails for an accepted advisory that is no longer reported', async () => {
  const { code, stderr } = await check(project([acceptance('2099-01-31')]), {});
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'GHSA-xvch-5gv4-984h in minimist is no longer reported. Remove it.\n',
  });
});

test('exits with 2, and says that nothing was checked, when the registry gives no advisories', async () => {
  const { code, stderr } = await check(project([]), 405);
  expect(code).toBe(2);
  expect(stderr).toContain('Nothing was checked, because the registry gives no advisories: 405 Method Not Allowed');
});

/** ATELIER_SECRET: missing, weak and publicly known secrets stop every process with one sentence. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readConfig } from '../runtime/config.ts';
import { readStartSettings } from '../scripts/local/settings.ts';
import { runUntilItEnds } from './support/failing-process.ts';

const remedy =
  'Generate a secret with "openssl rand -base64 32", give the same one to all processes, and keep it: ' +
  'it encrypts webhook secrets and signs image links.';
const rotation = ' If data is encrypted with this one, set it as ATELIER_PREVIOUS_SECRET.';
const published = 'atelier-development-secret-not-for-production';

test.each([
  [{}, `is not set. ${remedy}`],
  [{ ATELIER_SECRET: '' }, `is not set. ${remedy}`],
  [{ ATELIER_SECRET: 'too short' }, `must have at least 32 characters. ${remedy}${rotation}`],
  [{ ATELIER_SECRET: 'ab'.repeat(32) }, `must have at least 8 different characters. ${remedy}${rotation}`],
  [{ ATELIER_SECRET: published }, `is publicly known. ${remedy}${rotation}`],
])('rejects %p', (env, message) => {
  expect(() => readConfig(env)).toThrow(`ATELIER_SECRET ${message}`);
});

test('accepts random secrets, and what the error recommends', () => {
  const recommended = /"(openssl [^"]*)"/.exec(remedy)![1]!;
  const secrets = [
    execFileSync('sh', ['-c', recommended], { encoding: 'utf8' }).trim(),
    ...Array.from({ length: 1000 }, () => randomBytes(16).toString('hex')),
  ];
  for (const secret of secrets) expect(readConfig({ ATELIER_SECRET: secret }).secret).toBe(secret);
});

test('a weak secret can be replaced: it is accepted as the previous one', () => {
  const env = { ATELIER_SECRET: randomBytes(16).toString('hex'), ATELIER_PREVIOUS_SECRET: published };
  expect(readConfig(env).previousSecret).toBe(published);
});

test('npm start rejects a weak secret before it encrypts with it, and needs none', () => {
  expect(() => readStartSettings({ ATELIER_SECRET: published })).toThrow('ATELIER_SECRET is publicly known');
  expect(readStartSettings({}).secret).toBeNull();
});

test.each([
  ['api/main.ts', []],
  ['workers/main.ts', []],
  ['scripts/migrate.ts', []],
  ['operator/main.ts', ['organizations', 'create', 'Acme']],
])('%s does not run without a secret', async (entry, args) => {
  expect(await runUntilItEnds(entry, args, {})).toEqual({ code: 1, output: `ATELIER_SECRET is not set. ${remedy}\n` });
});

test.each(['--help', 'organizations create --help'])('operator %s needs no secret', async (args) => {
  const { code, output } = await runUntilItEnds('operator/main.ts', args.split(' '), {});
  expect(code).toBe(0);
  expect(output).toContain('Usage: operator');
});

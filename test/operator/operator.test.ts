/** The operator's command, run as operators run it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack({ workers: 0 });
});
afterAll(() => stack.stop());

function operator(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: stack.env };
    execFile(process.execPath, ['operator/main.ts', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function operatorJson(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await operator('--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('an organization, its admin key, and what the key can do', async () => {
  const organization = await operatorJson('organizations', 'create', 'Acme', '--id', 'org_acme');
  expect(organization).toEqual({
    orgId: 'org_acme',
    name: 'Acme',
    webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const key = await operatorJson('keys', 'create', 'org_acme', '--domains', 'studio', 'textcraft', '--label', 'ops');
  expect(key).toMatchObject({ scope: 'admin', domains: ['studio', 'textcraft'], environment: 'live', label: 'ops' });
  const url = `${stack.baseUrl}/v2/organizations/org_acme`;
  const apiKey = String(key['apiKey']);
  expect(await call(url, { key: apiKey })).toMatchObject({ status: 200, body: { orgId: 'org_acme', name: 'Acme' } });

  const listed = (await operatorJson('keys', 'list', 'org_acme')) as unknown as Record<string, unknown>[];
  expect(listed.map(({ keyId }) => keyId)).toEqual([key['keyId']]);
  expect(listed[0]).not.toHaveProperty('apiKey');

  expect(await operatorJson('keys', 'revoke', 'org_acme', String(key['keyId']))).toMatchObject({ status: 'revoked' });
  expect(await call(url, { key: apiKey })).toMatchObject({ status: 401, body: { code: 'key_revoked' } });
});

test.each([
  ['an id that is taken', ['organizations', 'create', 'Demo', '--id', 'org_demo'], 'already an organization org_demo'],
  ['a senseless id', ['organizations', 'create', 'X', '--id', 'no spaces'], 'must be org_'],
  ['an unknown organization', ['keys', 'create', 'org_nobody'], 'no organization org_nobody'],
  ['an unknown key', ['keys', 'revoke', 'org_demo', 'key_x'], 'has no key key_x'],
  ['an unknown domain', ['keys', 'create', 'org_demo', '--domains', 'everything'], 'Allowed choices'],
  ['an unknown command', ['paint'], 'unknown command'],
])('%s is refused in words, with exit code 1', async (_name, args, words) => {
  const { code, stderr } = await operator(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('    at ');
});

test('without --json, lines for people', async () => {
  const { stdout } = await operator('organizations', 'list');
  expect(stdout).toMatch(/^orgId +org_demo$/m);
});

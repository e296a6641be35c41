/** `operator organizations`, `keys`, `usage`, `audit` and `migrate`. */
import { beforeAll, expect, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { ownDatabase, secret } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { signingSecrets } from '../../store/webhook-secrets.ts';
import { openVault } from '../../store/vault.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { operator as run, operatorProcess } from '../support/operator.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

const operator = (...args: string[]) => run(service.env, ...args);

async function operatorJson(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await operator('--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('creates an organization and its admin key, which works until it is revoked', async () => {
  const organization = await operatorJson('organizations', 'create', 'Acme', '--id', 'org_acme');
  expect(organization).toEqual({
    orgId: 'org_acme',
    name: 'Acme',
    webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const key = await operatorJson('keys', 'create', 'org_acme', '--domains', 'studio', 'textcraft', '--label', 'ops');
  expect(key).toMatchObject({ scope: 'admin', domains: ['studio', 'textcraft'], environment: 'live', label: 'ops' });
  const url = `${service.baseUrl}/v2/organizations/org_acme`;
  const apiKey = String(key['apiKey']);
  expect(await call(url, { key: apiKey })).toMatchObject({ status: 200, body: { orgId: 'org_acme', name: 'Acme' } });

  const listed = (await operatorJson('keys', 'list', 'org_acme')) as unknown as Record<string, unknown>[];
  expect(listed.map(({ keyId }) => keyId)).toEqual([key['keyId']]);
  expect(listed[0]).not.toHaveProperty('apiKey');

  expect(await operatorJson('keys', 'revoke', 'org_acme', String(key['keyId']))).toMatchObject({ status: 'revoked' });
  expect(await call(url, { key: apiKey })).toMatchObject({ status: 401, body: { code: 'key_revoked' } });
});

test('creates, shows and changes a key; a revoked key does not change', async () => {
  const { orgId } = await operatorJson('organizations', 'create', 'Keys', '--id', 'org_keys');
  const org = String(orgId);
  const expiresAt = '2999-12-31T23:59:59.000Z';
  const made = await operatorJson(
    'keys',
    'create',
    org,
    '--scope',
    'manager',
    '--credits',
    '5',
    '--expires-at',
    expiresAt,
  );
  const key = String(made['keyId']);
  expect(made).toMatchObject({ credits: 5, expiresAt, rateCreations: null, rateOthers: null });
  const { apiKey, ...known } = made;
  expect(await operatorJson('keys', 'show', org, key)).toEqual(known);

  const changes = { label: 'shop', credits: 9, expiresAt: null, rateCreations: 2, rateOthers: 1 };
  const flags = [
    '--label',
    'shop',
    '--credits',
    '9',
    '--expires-at',
    'never',
    '--rate-creations',
    '2',
    '--rate-others',
    '1',
  ];
  expect(await operatorJson('keys', 'update', org, key, ...flags)).toEqual({ ...known, ...changes });
  const policy = async () =>
    (await call(`${service.baseUrl}/v2/usage`, { key: String(apiKey) })).headers.get('ratelimit-policy');
  expect(await policy()).toBe('"others";q=1;w=60');
  const back = await operatorJson(
    'keys',
    'update',
    org,
    key,
    '--rate-others',
    'default',
    '--rate-creations',
    'default',
  );
  expect(back).toMatchObject({ rateCreations: null, rateOthers: null, credits: 9 });
  expect(await policy()).not.toBe('"others";q=1;w=60');

  expect(await operatorJson('keys', 'revoke', org, key)).toMatchObject({ status: 'revoked' });
  expect(await operatorJson('keys', 'revoke', org, key)).toMatchObject({ status: 'revoked' });
  const { code, stderr } = await operator('keys', 'update', org, key, '--credits', '1');
  expect([code, stderr]).toEqual([1, expect.stringContaining('is revoked and cannot be changed')]);

  const trail = (await operatorJson('audit', org)) as unknown as Record<string, unknown>[];
  expect(trail.map(({ actor, action }) => [actor, action])).toEqual([
    ['operator', 'api_key.revoked'],
    ['operator', 'api_key.updated'],
    ['operator', 'api_key.updated'],
    ['operator', 'api_key.created'],
    ['operator', 'organization.created'],
  ]);
  expect(JSON.stringify(trail)).not.toContain(String(apiKey).slice(10));
});

test('restricts a key to addresses, its grants to days, and rolls it', async () => {
  const { orgId } = await operatorJson('organizations', 'create', 'Options', '--id', 'org_options');
  const org = String(orgId);
  const { keyId, apiKey } = await operatorJson('keys', 'create', org, '--scope', 'manager');
  const key = String(keyId);
  const limited = ['--allowed-addresses', '203.0.113.7', '2001:db8::/32', '--max-key-days', '90'];
  expect(await operatorJson('keys', 'update', org, key, ...limited)).toMatchObject({
    allowedAddresses: ['203.0.113.7', '2001:db8::/32'],
    maxKeyDays: 90,
  });
  const free = ['--allowed-addresses', 'all', '--max-key-days', 'none'];
  expect(await operatorJson('keys', 'update', org, key, ...free)).toMatchObject({
    allowedAddresses: null,
    maxKeyDays: null,
  });
  expect((await operator('keys', 'update', org, key, '--allowed-addresses', '10.0.0')).stderr).toMatch(/IP address/);
  const rolled = await operatorJson('keys', 'roll', org, key, '--grace-period', '60');
  expect(rolled).toMatchObject({ keyId: key, previousKeyExpiresAt: expect.any(String) });
  for (const secret of [apiKey, rolled['apiKey']]) {
    expect((await call(`${service.baseUrl}/v2/usage`, { key: String(secret) })).status).toBe(200);
  }
  expect(await operatorJson('keys', 'list', org, '--unused-days', '1')).toEqual([]);
});

test('the operator changes and revokes an admin key', async () => {
  const { orgId } = service;
  const { keyId } = await operatorJson('keys', 'create', orgId, '--scope', 'admin');
  expect(await operatorJson('keys', 'update', orgId, String(keyId), '--label', 'ops')).toMatchObject({ label: 'ops' });
  expect(await operatorJson('keys', 'revoke', orgId, String(keyId))).toMatchObject({ status: 'revoked' });
});

test('prints usage as JSON and as text', async () => {
  const { orgId, adminKey } = await joinService('accepting');
  await call(`${service.baseUrl}/v2/artworks/selena/styles`, { key: adminKey });
  const usage = await eventually(async () => {
    const read = await operatorJson('usage', orgId);
    // The API counts in memory, and stores the counts every few seconds.
    expect(read).toMatchObject({
      totals: { requests: 1, artworks: 0, credits: 0 },
      items: [{ operation: null, keyId: expect.stringMatching(/^key_/), requests: 1, artworks: 0, credits: 0 }],
    });
    return read;
  });
  const { stdout } = await operator('usage', orgId, '--from', String(usage['from']), '--to', String(usage['to']));
  expect(stdout).toMatch(/^operation +–$/m);
  expect(stdout).toMatch(/^requests +1$/m);
});

test.each([
  ['an id that is taken', ['organizations', 'create', 'Demo', '--id', 'org_demo'], 'org_demo already exists'],
  ['an invalid id', ['organizations', 'create', 'X', '--id', 'no spaces'], 'Use org_'],
  ['an unknown organization', ['keys', 'create', 'org_nobody'], 'no organization org_nobody'],
  ['an unknown key', ['keys', 'revoke', 'org_demo', 'key_x'], 'has no key key_x'],
  ['an unknown domain', ['keys', 'create', 'org_demo', '--domains', 'everything'], 'Allowed choices'],
  ['a rate of 0', ['keys', 'update', 'org_demo', 'key_x', '--rate-others', '0'], 'whole number from 1'],
  [
    'a time in the past',
    ['keys', 'update', 'org_demo', 'key_x', '--expires-at', '2020-01-01T00:00:00Z'],
    'in the future',
  ],
  [
    'a time after the year 9999',
    ['keys', 'create', 'org_demo', '--expires-at', '9999-12-31T23:59:59-23:59'],
    'before the year 10000',
  ],
  ['too long a label', ['keys', 'update', 'org_demo', 'key_x', '--label', 'a'.repeat(101)], '1 to 100 characters'],
  ['keys of an unknown organization', ['keys', 'list', 'org_nobody'], 'no organization org_nobody'],
  ['an invalid day', ['usage', 'org_demo', '--from', '2026-02-30'], '--from must be a date'],
  ['the audit trail of an unknown organization', ['audit', 'org_nobody'], 'no organization org_nobody'],
  ['an unknown command', ['paint'], 'unknown command'],
])('rejects %s with a message and exit code 1', async (_name, args, words) => {
  const { code, stderr } = await operator(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('    at ');
});

test('the text output of a list has one line for each field', async () => {
  const { stdout } = await operator('organizations', 'list');
  expect(stdout).toMatch(/^orgId +org_demo$/m);
});

test.each([['organizations', 'list'], ['keys', 'list', 'org_demo'], ['usage', 'org_demo'], ['migrate']])(
  '%s runs as a process of its own',
  async (...args) => {
    const { code, stdout, stderr } = await operatorProcess(service.env, '--json', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(expect.any(Object));
  },
);

test.each([
  ['an unknown command', ['paint'], 'unknown command'],
  ['an unknown key', ['keys', 'revoke', 'org_demo', 'key_x'], 'has no key key_x'],
])('a process ends with exit code 1 after %s', async (_name, args, words) => {
  const { code, stdout, stderr } = await operatorProcess(service.env, ...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(words);
});

test('reencrypt encrypts the secrets of the previous ATELIER_SECRET with the current one', async () => {
  const own = await ownDatabase();
  const db = openTestDatabase(own.url);
  const signing = () => signingSecrets(db, openVault(secret), 'org_demo', new Date());
  const before = await signing();
  const next = 'the next secret of these tests, at least 32 characters';
  const as = (env: NodeJS.ProcessEnv) =>
    run({ DATABASE_URL: own.url, ATELIER_SECRET: secret, ...env }, '--json', 'organizations', 'reencrypt');
  const rejected = await as({ ATELIER_SECRET: next });
  expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('encrypted with another ATELIER_SECRET') });
  expect(await as({ ATELIER_SECRET: next, ATELIER_PREVIOUS_SECRET: secret })).toMatchObject({ code: 0 });
  expect(await as({ ATELIER_SECRET: next })).toMatchObject({ code: 0 });
  expect(await as({})).toMatchObject({ code: 1 });
  expect(await as({ ATELIER_PREVIOUS_SECRET: next })).toMatchObject({ code: 0 });
  expect(await signing()).toEqual(before);
  await Promise.all([db.close(), own.sql.end()]);
});

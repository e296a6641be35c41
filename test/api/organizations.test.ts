/** Keys: created, limited and revoked, effective on every API process at once. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import type { NewKey } from '../../store/keys.ts';
import { call } from '../support/client.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { untilTime } from '../support/until-time.ts';

let service: Service;
let otherOrg: string;
let db: Database;

beforeAll(async () => {
  service = await joinService('accepting');
  otherOrg = (await joinService('accepting')).orgId;
  db = openTestDatabase(service.databaseUrl);
});
afterAll(async () => {
  await db.close();
});

interface Key extends Record<string, unknown> {
  keyId: string;
  apiKey: string;
  status: string;
}

const fields = { label: 'web shop', scope: 'generator', domains: ['artworks-internal'] };
const keysUrl = (orgId = service.orgId) => `${service.baseUrl}/v2/organizations/${orgId}/api-keys`;
const make = (body: object = {}, key = service.adminKey) =>
  call<Key>(keysUrl(), { method: 'POST', key, body: { ...fields, ...body } });
const revoke = (keyId: string, key = service.adminKey) => call<Key>(`${keysUrl()}/${keyId}`, { method: 'DELETE', key });
const uses = (key: string, api = 0) => call(`${service.baseUrls[api]}/v2/artworks/selena/styles`, { key });

/** Creates a key that only the operator can create. */
async function operatorKey(own: Partial<NewKey> = {}): Promise<Key> {
  const { id, apiKey } = await createTestKey(db, { orgId: service.orgId, scope: 'admin', ...own });
  return { keyId: id, apiKey, status: 'active' };
}

test('returns a new key with all its fields, including the full key', async () => {
  const { status, body } = await make();
  expect(status).toBe(201);
  expect(body).toEqual({
    keyId: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
    apiKey: expect.stringMatching(/^atl_[0-9A-Za-z]{43}$/),
    keyPrefix: body.apiKey.slice(0, 10),
    label: 'web shop',
    scope: 'generator',
    domains: ['artworks-internal'],
    environment: 'live',
    credits: 0,
    status: 'active',
    usageCount: 0,
    lastUsedAt: null,
    expiresAt: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    allowedAddresses: null,
    maxKeyDays: null,
  });
  expect((await uses(body.apiKey)).status).toBe(200);
  expect((await uses(body.apiKey, 1)).status).toBe(200);
});

test('accepts every optional field', async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const label = '🦊'.repeat(100);
  const chosen = {
    label,
    scope: 'manager',
    domains: ['studio', 'textcraft'],
    credits: 2147483647,
    environment: 'test',
  };
  const { status, body } = await make({ ...chosen, expiresAt });
  expect(status).toBe(201);
  expect(body).toMatchObject({ ...chosen, expiresAt, apiKey: expect.stringMatching(/^att_/) });
  const inParis = expiresAt.replace(/T.*/, 'T23:30:00.5+02:00');
  expect((await make({ expiresAt: inParis.replace(/^\d{4}/, '2999') })).body['expiresAt']).toMatch(/T21:30:00\.500Z$/);
});

test('a key cannot grant a permission that it lacks', async () => {
  expectProblem(await make({ scope: 'admin' }), 'scope_not_grantable');
  const narrow = await operatorKey({ domains: ['artworks-internal', 'studio'] });
  expect((await make({ domains: ['studio', 'artworks-internal'] }, narrow.apiKey)).status).toBe(201);
  expectProblem(await make({ domains: ['artworks-internal', 'textcraft'] }, narrow.apiKey), 'domain_not_grantable');
  const tester = await operatorKey({ environment: 'test' });
  expect((await make({}, tester.apiKey)).body['environment']).toBe('test');
  expect((await make({ environment: 'test' }, tester.apiKey)).status).toBe(201);
  expectProblem(await make({ environment: 'live' }, tester.apiKey), 'environment_not_grantable');
});

test('a key stops working when it expires', async () => {
  const expiresAt = new Date(Date.now() + 4000);
  const { body } = await make({ expiresAt });
  expect((await uses(body.apiKey)).status).toBe(200);
  await untilTime(expiresAt);
  expectProblem(await uses(body.apiKey), 'key_expired');
  expectProblem(await uses(body.apiKey, 1), 'key_expired');
});

test('rejects an expiry that is not in the future', async () => {
  for (const expiresAt of [new Date(), new Date(0), '2999-12-31T23:59:60Z']) {
    expect(rules(expectProblem(await make({ expiresAt }), 'validation_failed'))).toEqual(['/expiresAt future']);
  }
});

test('a revoked key stops working at once on every process; revoking it again changes nothing', async () => {
  const { body } = await make();
  expect((await uses(body.apiKey, 1)).status).toBe(200);
  const first = await revoke(body.keyId);
  expectProblem(await uses(body.apiKey, 1), 'key_revoked');
  expectProblem(await uses(body.apiKey), 'key_revoked');
  const { apiKey: _apiKey, ...rest } = body;
  expect(first.status).toBe(200);
  expect({ ...first.body, usageCount: 0, lastUsedAt: null }).toEqual({ ...rest, status: 'revoked' });
  const again = await revoke(body.keyId);
  expect({ ...again.body, usageCount: 0, lastUsedAt: null }).toEqual({ ...rest, status: 'revoked' });
  expect(again.status).toBe(200);
});

test('an expired key that is revoked has the status revoked', async () => {
  const { keyId } = await operatorKey({ scope: 'generator', expiresAt: new Date(Date.now() - 1) });
  expect((await revoke(keyId)).body.status).toBe('revoked');
});

test('rejects revoking oneself, an admin key, a key of another organization, and an unknown key', async () => {
  const self = await operatorKey();
  expectProblem(await revoke(self.keyId, self.apiKey), 'conflict');
  expectProblem(await revoke(self.keyId), 'insufficient_scope');
  expect((await uses(self.apiKey)).status).toBe(200);
  const other = await operatorKey({ orgId: otherOrg, scope: 'generator' });
  expectProblem(await revoke(other.keyId), 'not_found');
  expect((await uses(other.apiKey)).status).toBe(200);
  for (const keyId of ['key_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', '%00', "'", 'x'.repeat(3000)]) {
    expectProblem(await revoke(keyId), 'not_found');
  }
});

test('returns the organization', async () => {
  const { status, body } = await call(`${service.baseUrl}/v2/organizations/${service.orgId}`, {
    key: service.adminKey,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ orgId: service.orgId, name: 'Test', createdAt: expect.stringMatching(/Z$/) });
  expect(Object.keys(body).sort()).toEqual(['createdAt', 'name', 'orgId', 'webhookSecretRotatedAt']);
});

/** Options of API keys: allowed addresses, a maximum lifetime of the keys that a key creates, and a list of unused keys. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import type { NewKey } from '../../store/keys.ts';
import { call } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';

let service: Service;
let db: Database;
let contract: Contract;

beforeAll(async () => {
  service = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
  contract = await readContract(service.baseUrl);
});
afterAll(async () => {
  await db.close();
});

const day = 86_400_000;
const makeKey = (fields: Partial<NewKey> = {}) => createTestKey(db, { orgId: service.orgId, ...fields });
const keysUrl = () => `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
const patch = (id: string, body: object, key = service.adminKey) =>
  call(`${keysUrl()}/${id}`, { method: 'PATCH', key, body });
const create = (body: object, key = service.adminKey) =>
  call(keysUrl(), {
    ...{ method: 'POST', key },
    body: { label: 'shop', scope: 'generator', domains: ['artworks-internal'], ...body },
  });
const uses = (key: string, headers = {}) => call(`${service.baseUrl}/v2/artworks/selena/styles`, { key, headers });
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

test('accepts a key from its allowed addresses only, on every endpoint', async () => {
  const { status, body } = await create({ allowedAddresses: ['127.0.0.0/8', '::1'] });
  expect(status).toBe(201);
  expect(body['allowedAddresses']).toEqual(['127.0.0.0/8', '::1']);
  const key = String(body['apiKey']);
  const id = String(body['keyId']);
  expect((await uses(key)).status).toBe(200);
  const changed = await patch(id, { allowedAddresses: ['203.0.113.7'] });
  contract.check('PATCH', '/v2/organizations/{orgId}/api-keys/{keyId}', changed);
  const refused = await uses(key);
  expectProblem(refused, 'invalid_api_key');
  expect(refused.body['message']).toContain('127.0.0.1');
  // No proxy is trusted, so clients cannot choose their address.
  expectProblem(await uses(key, { 'x-forwarded-for': '203.0.113.7' }), 'invalid_api_key');
  const creation = await call(`${service.baseUrl}/v2/artworks/selena`, {
    ...{ method: 'POST', key, body: { prompt: 'a lighthouse' } },
  });
  expectProblem(creation, 'invalid_api_key');
  expect((await patch(id, { allowedAddresses: null })).body['allowedAddresses']).toBeNull();
  expect((await uses(key)).status).toBe(200);
});

test('rejects lists of addresses that are not addresses', async () => {
  const errors = async (allowedAddresses: unknown) =>
    rules(expectProblem(await create({ allowedAddresses }), 'validation_failed'));
  for (const wrong of [
    '10.0.0',
    '10.0.0.0/33',
    '::1/129',
    'localhost',
    '0x7f.1',
    '::ffff:10.0.0.1',
    '0:0:0:0:0:ffff:10.0.0.1',
    'fe80::1%eth0',
  ]) {
    expect(await errors([wrong])).toEqual(['/allowedAddresses/0 format']);
  }
  expect(await errors([])).toEqual(['/allowedAddresses minItems']);
  const long = '1'.repeat(200);
  expect(await errors([long, `${long}2`])).toEqual(['/allowedAddresses/0 maxLength', '/allowedAddresses/1 maxLength']);
});

test('a key with a maximum of days creates and changes keys only so that they expire in time', async () => {
  const { apiKey: admin } = await makeKey({ scope: 'admin', maxKeyDays: 90 });
  const errors = async (response: ReturnType<typeof create>) =>
    rules(expectProblem(await response, 'validation_failed'));
  expect(await errors(create({}, admin))).toEqual(['/expiresAt required']);
  expect(await errors(create({ expiresAt: inDays(91) }, admin))).toEqual(['/expiresAt range']);
  const { status, body } = await create({ expiresAt: inDays(89) }, admin);
  expect(status).toBe(201);
  const id = String(body['keyId']);
  expect(await errors(patch(id, { expiresAt: null }, admin))).toEqual(['/expiresAt required']);
  expect(await errors(patch(id, { expiresAt: inDays(91) }, admin))).toEqual(['/expiresAt range']);
  expect((await patch(id, { label: 'web shop' }, admin)).status).toBe(200);
  // Keys without the option are free.
  expect((await patch(id, { expiresAt: null })).status).toBe(200);
});

test('lists the active keys that were not used since a time', async () => {
  const { orgId, adminKey } = await joinService('accepting');
  const make = async (label: string, fields: Partial<NewKey> = {}) => createTestKey(db, { orgId, label, ...fields });
  const old = new Date(Date.now() - 100 * day);
  const since = new Date(Date.now() - 50 * day);
  const unused = await make('unused');
  const idle = await make('idle');
  const used = await make('used');
  const expired = await make('expired', { expiresAt: new Date(Date.now() + 500) });
  const revoked = await make('revoked');
  await make('new');
  const execute = (sql: string, parameters: unknown[]) => db.em().execute(sql, parameters);
  for (const { id } of [unused, idle, used, expired, revoked]) {
    await execute('update api_key set created_at = ? where id = ?', [old, id]);
  }
  await execute('update api_key set last_used_at = ? where id = ?', [old, idle.id]);
  await execute('update api_key set last_used_at = now() where id = ?', [used.id]);
  await execute('update api_key set revoked_at = now() where id = ?', [revoked.id]);
  await new Promise((resolve) => setTimeout(resolve, 600));
  const url = `${service.baseUrl}/v2/organizations/${orgId}/api-keys`;
  const response = await call<{ items: { label: string }[] }>(`${url}?unusedSince=${since.toISOString()}`, {
    key: adminKey,
  });
  contract.check('GET', '/v2/organizations/{orgId}/api-keys', response);
  expect(response.body.items.map(({ label }) => label)).toEqual(['idle', 'unused']);
  for (const wrong of ['yesterday', '2026-01-01', '', '2026-12-31T23:59:60Z', '2026-01-01T00:00:00%2B05']) {
    const failed = await call(`${url}?unusedSince=${wrong}`, { key: adminKey });
    expect(rules(expectProblem(failed, 'validation_failed'))).toEqual(['/unusedSince format']);
  }
});

/** Admin keys list, read and change the keys of their organization, within their own permissions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { type NewKey, revokeKey } from '../../store/keys.ts';
import { call } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { untilTime } from '../support/until-time.ts';

let service: Service;
let otherOrg: string;
let db: Database;
let contract: Contract;

beforeAll(async () => {
  service = await joinService('accepting');
  otherOrg = (await joinService('accepting')).orgId;
  db = openTestDatabase(service.databaseUrl);
  contract = await readContract(service.baseUrl);
});
afterAll(async () => {
  await db.close();
});

const makeKey = (fields: Partial<NewKey> = {}) => createTestKey(db, { orgId: service.orgId, ...fields });

interface Page {
  items: Record<string, unknown>[];
  nextCursor: string | null;
}

const keysUrl = (orgId = service.orgId, api = 0) => `${service.baseUrls[api]}/v2/organizations/${orgId}/api-keys`;
const list = (query = '', key = service.adminKey) => call<Page>(`${keysUrl()}${query}`, { key });
const read = (id: string, api = 0) => call(`${keysUrl(service.orgId, api)}/${id}`, { key: service.adminKey });
const patch = (id: string, body: unknown, key = service.adminKey) =>
  call(`${keysUrl()}/${id}`, { method: 'PATCH', key, body });
const uses = (key: string, api = 0) => call(`${service.baseUrls[api]}/v2/artworks/selena/styles`, { key });
const time = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

test('lists all keys of an organization, newest first, in pages, and none of them in full', async () => {
  const { orgId, adminKey } = await joinService('accepting');
  const created: string[] = [];
  for (let index = 0; index < 44; index++) created.unshift((await makeKey({ orgId, label: `${index}` })).id);
  const seen: unknown[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `?cursor=${cursor}`;
    const { status, body } = await call<Page>(`${keysUrl(orgId)}${query}`, { key: adminKey });
    contract.check('GET', '/v2/organizations/{orgId}/api-keys', { status, body });
    seen.push(...body.items.map(({ keyId }) => keyId));
    sizes.push(body.items.length);
    cursor = body.nextCursor;
  }
  expect(sizes).toEqual([20, 20, 5]);
  // The oldest is the organization's first admin key.
  expect(seen.slice(0, -1)).toEqual(created);
  expect((await list('?limit=1')).body.items).toHaveLength(1);
  for (const query of ['?limit=0', '?limit=101', '?limit=x', '?limit=1&limit=2']) {
    expect(rules(expectProblem(await list(query), 'validation_failed'))).toEqual(['/limit range']);
  }
  expect(rules(expectProblem(await list('?cursor=x'), 'validation_failed'))).toEqual(['/cursor cursor']);
});

test('returns the current state of a key', async () => {
  const expiresAt = new Date(Date.now() + 4000);
  const { id, apiKey } = await makeKey({ expiresAt });
  const active = await read(id);
  contract.check('GET', '/v2/organizations/{orgId}/api-keys/{keyId}', active);
  expect(active.body).toMatchObject({ keyId: id, keyPrefix: apiKey.slice(0, 10), status: 'active' });
  expect(JSON.stringify(active.body)).not.toContain(apiKey);
  await untilTime(expiresAt);
  expect((await read(id, 1)).body['status']).toBe('expired');
  await revokeKey(db, id, new Date());
  expect((await read(id)).body['status']).toBe('revoked');
});

test('changes label, credits and expiry, alone and together, and nothing else', async () => {
  const { id, apiKey } = await makeKey();
  const { body: before } = await read(id);
  const first = await patch(id, { label: '🦊'.repeat(100) });
  contract.check('PATCH', '/v2/organizations/{orgId}/api-keys/{keyId}', first);
  expect(first.body).toEqual({ ...before, label: '🦊'.repeat(100) });
  const expiresAt = time(3600);
  const all = { label: 'shop', credits: 2147483647, expiresAt };
  expect((await patch(id, all)).body).toEqual({ ...before, ...all });
  expect((await patch(id, {})).body).toEqual({ ...before, ...all });
  expect((await patch(id, { expiresAt: null, credits: 0 })).body).toEqual({
    ...before,
    ...all,
    expiresAt: null,
    credits: 0,
  });
  expect((await read(id, 1)).body).toEqual({ ...before, label: 'shop', credits: 0, expiresAt: null });
  expect((await uses(apiKey)).status).toBe(200);
});

test('an expiry takes effect at once on every process; a later expiry reactivates the key', async () => {
  const { id, apiKey } = await makeKey();
  const expiresAt = time(4);
  await patch(id, { expiresAt });
  expect((await uses(apiKey, 1)).status).toBe(200);
  await untilTime(expiresAt);
  expectProblem(await uses(apiKey, 1), 'key_expired');
  expect((await patch(id, { expiresAt: time(60) })).body['status']).toBe('active');
  expect((await uses(apiKey, 1)).status).toBe(200);
});

test('names every error of a change', async () => {
  const { id } = await makeKey();
  const faults = async (body: unknown) => rules(expectProblem(await patch(id, body), 'validation_failed'));
  expect(await faults({ label: '', credits: -1, expiresAt: 'soon', scope: 'admin' })).toEqual([
    '/credits minimum',
    '/expiresAt format',
    '/label minLength',
    '/scope additionalProperties',
  ]);
  expect(await faults({ label: 'a'.repeat(101), credits: 1.5, expiresAt: 7 })).toEqual([
    '/credits type',
    '/expiresAt type',
    '/label maxLength',
  ]);
  expect(await faults({ label: null, credits: 2147483648 })).toEqual(['/credits maximum', '/label type']);
  expect(await faults({ expiresAt: time(-1) })).toEqual(['/expiresAt future']);
  expect(await faults({ expiresAt: '2999-12-31T23:59:60Z' })).toEqual(['/expiresAt future']);
});

test('a revoked key does not change', async () => {
  const { id } = await makeKey();
  await revokeKey(db, id, new Date());
  const { body } = await read(id);
  expectProblem(await patch(id, { label: 'b', credits: 5, expiresAt: null }), 'conflict');
  expect((await read(id)).body).toEqual(body);
});

test('an admin changes only keys that it could create', async () => {
  const admin = await makeKey({ scope: 'admin' });
  expectProblem(await patch(admin.id, { label: 'b' }), 'insufficient_scope');
  expectProblem(await patch(admin.id, { label: 'b' }, admin.apiKey), 'insufficient_scope');
  const wide = await makeKey();
  const narrow = await makeKey({ scope: 'admin', domains: ['studio'] });
  expectProblem(await patch(wide.id, { credits: 5 }, narrow.apiKey), 'domain_not_grantable');
  const tester = await makeKey({ scope: 'admin', environment: 'test' });
  expectProblem(await patch(wide.id, { credits: 5 }, tester.apiKey), 'environment_not_grantable');
  expect((await read(wide.id)).body).toMatchObject({ label: 'test', credits: 0 });
  const own = await makeKey({ domains: ['studio'], environment: 'test', scope: 'manager' });
  for (const { apiKey } of [narrow, tester]) expect((await patch(own.id, { credits: 5 }, apiKey)).status).toBe(200);
});

test('an admin key of either environment revokes any key, and needs none of its permissions', async () => {
  const revoke = (id: string, key: string) => call(`${keysUrl()}/${id}`, { method: 'DELETE', key });
  for (const caller of ['live', 'test'] as const) {
    const admin = await makeKey({ scope: 'admin', domains: ['studio'], environment: caller });
    for (const environment of ['live', 'test'] as const) {
      const key = await makeKey({ environment, domains: ['textcraft'] });
      expect((await revoke(key.id, admin.apiKey)).body['status']).toBe('revoked');
      expectProblem(await uses(key.apiKey), 'key_revoked');
    }
  }
});

test('accepts an expiry up to the end of the year 9999', async () => {
  const { id } = await makeKey();
  const expiresAt = '9999-12-31T23:59:59.999Z';
  expect((await patch(id, { expiresAt })).body['expiresAt']).toBe(expiresAt);
  const late = { expiresAt: '9999-12-31T23:59:59-00:01' };
  expect(rules(expectProblem(await patch(id, late), 'validation_failed'))).toEqual(['/expiresAt range']);
});

test('returns 404 for keys of other organizations', async () => {
  const other = await makeKey({ orgId: otherOrg });
  for (const keyId of [other.id, 'key_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', '%00', "'", 'x'.repeat(3000)]) {
    expectProblem(await read(keyId), 'not_found');
    expectProblem(await patch(keyId, { credits: 5 }), 'not_found');
  }
});

test('concurrent changes are atomic', async () => {
  const { id } = await makeKey();
  const changes = Array.from({ length: 20 }, (_, index) => ({ label: `label ${index}`, credits: index }));
  await Promise.all(changes.map((body) => patch(id, body)));
  const { label, credits } = (await read(id)).body;
  expect(changes).toContainEqual({ label, credits });
});

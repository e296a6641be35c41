/** Admin keys replace a key by a new one, which owns what the key owned; the previous one works for a grace period. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { PreviousKey } from '../../store/entities.ts';
import { revokeKey } from '../../store/keys.ts';
import { deletePreviousKeys } from '../../store/roll-key.ts';
import { call, create } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { untilTime } from '../support/until-time.ts';

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

interface Rolled {
  keyId: string;
  keyPrefix: string;
  apiKey: string;
  previousKeyExpiresAt: string | null;
}

const makeKey = (fields = {}) => createTestKey(db, { orgId: service.orgId, ...fields });
const roll = (id: string, gracePeriodSeconds?: number, key = service.adminKey) =>
  call<Rolled>(`${service.baseUrls.at(-1)}/v2/organizations/${service.orgId}/api-keys/${id}/roll`, {
    ...{ method: 'POST', key },
    ...(gracePeriodSeconds !== undefined && { body: { gracePeriodSeconds } }),
  });
const uses = async (key: string) => (await call(`${service.baseUrl}/v2/artworks/selena/styles`, { key })).status;

test('a rolled key keeps its id, credits and artworks, and its previous secret stops working', async () => {
  const { id, apiKey } = await makeKey({ credits: 7 });
  const artwork = await create({ ...service, adminKey: apiKey }, { prompt: 'a lighthouse' });
  const response = await roll(id);
  contract.check('POST', '/v2/organizations/{orgId}/api-keys/{keyId}/roll', response);
  const { body: rolled } = response;
  expect(rolled).toMatchObject({ keyId: id, credits: 7, previousKeyExpiresAt: null });
  expect(rolled.apiKey).toMatch(/^atl_[0-9A-Za-z]{43}$/);
  expect(rolled.keyPrefix).toBe(rolled.apiKey.slice(0, 10));
  expect(await uses(apiKey)).toBe(401);
  const read = await call(`${service.baseUrl}/v2/artworks/${artwork.id}`, { key: rolled.apiKey });
  expect(read.status).toBe(200);
});

test('both secrets work in the grace period, which the next roll ends', async () => {
  const { id, apiKey: first } = await makeKey();
  const { body: second } = await roll(id, 3600);
  expect(Date.parse(String(second.previousKeyExpiresAt))).toBeGreaterThan(Date.now() + 3_500_000);
  expect([await uses(first), await uses(second.apiKey)]).toEqual([200, 200]);
  const { body: third } = await roll(id, 4);
  expect([await uses(first), await uses(second.apiKey), await uses(third.apiKey)]).toEqual([401, 200, 200]);
  await untilTime(String(third.previousKeyExpiresAt));
  expect([await uses(second.apiKey), await uses(third.apiKey)]).toEqual([401, 200]);
  await deletePreviousKeys(db, new Date());
  expect(await db.em().count(PreviousKey, { key: id })).toBe(0);
});

test('a revocation ends both secrets at once', async () => {
  const { id, apiKey } = await makeKey();
  const { body: rolled } = await roll(id, 3600);
  await revokeKey(db, id, new Date());
  expect([await uses(apiKey), await uses(rolled.apiKey)]).toEqual([401, 401]);
  expectProblem(await roll(id), 'conflict');
});

test('rolls only keys that the caller could create', async () => {
  const { id: admin } = await makeKey({ scope: 'admin' });
  expectProblem(await roll(admin), 'insufficient_scope');
  const { apiKey: testAdmin } = await makeKey({ scope: 'admin', environment: 'test' });
  const { id: live } = await makeKey();
  expectProblem(await roll(live, 0, testAdmin), 'environment_not_grantable');
  const { apiKey: narrow } = await makeKey({ scope: 'admin', domains: ['textcraft'] });
  expectProblem(await roll(live, 0, narrow), 'domain_not_grantable');
  const { apiKey: generator } = await makeKey();
  expectProblem(await roll(live, 0, generator), 'insufficient_scope');
  const { id: expired } = await makeKey({ expiresAt: new Date(Date.now() + 300) });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expectProblem(await roll(expired), 'conflict');
  expectProblem(await roll('key_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'), 'not_found');
  const { apiKey: limited } = await makeKey({ scope: 'admin', maxKeyDays: 90 });
  expectProblem(await roll(live, 0, limited), 'conflict');
  const { id: brief } = await makeKey({ expiresAt: new Date(Date.now() + 89 * 86_400_000) });
  expect((await roll(brief, 0, limited)).status).toBe(200);
});

test('the previous secret does not outlive the key', async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const { id } = await makeKey({ expiresAt });
  expect((await roll(id, 3600)).body.previousKeyExpiresAt).toBe(expiresAt.toISOString());
});

/** A clean stop of the APIs loses no count: neither the uses of a key nor the usage of an organization. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { domains } from '../../schemas/access.ts';
import type { UsageItem } from '../../schemas/usage.ts';
import { deleteArtwork } from '../../store/artworks.ts';
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { createKey, type NewKey } from '../../store/keys.ts';
import { createOrganization } from '../../store/organizations.ts';
import { openVault } from '../../store/vault.ts';
import { call } from '../support/client.ts';
import { readContract } from '../support/contract.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let db: Database;
let orgId: string;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 2, workers: 0, env: { ATELIER_ANSWER_TIMEOUT: '50ms' } });
  db = openTestDatabase(stack.databaseUrl);
  orgId = newId('org');
  await createOrganization(db, openVault(stack.secret), { id: orgId, name: 'Test', now: new Date() });
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});

async function makeKey(fields: Partial<NewKey> = {}): Promise<{ id: string; apiKey: string }> {
  const all = { label: 'test', scope: 'manager', environment: 'live', credits: 0, expiresAt: null } as const;
  const { row, apiKey } = await createKey(db, { ...all, orgId, domains: [...domains], ...fields }, new Date());
  return { id: row.id, apiKey };
}

interface Usage {
  items: UsageItem[];
}

const prompt = { prompt: 'a fox' };
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const readUsage = (key: string, api = 0) => call<Usage>(`${stack.baseUrls[api]}/v2/usage`, { key });
const post = (key: string, operation: string, body: object, api: number) =>
  call(`${stack.baseUrls[api]}/v2/${operation}`, { method: 'POST', key, body });

test('both APIs count uses by key, and usage by operation and key, rejected requests included', async () => {
  // This key belongs to another organization, so the usage below counts only the other two keys.
  const often = await createKey(
    db,
    {
      ...{ label: 'often', scope: 'generator', environment: 'live', credits: 0, expiresAt: null },
      ...{ orgId: stack.orgId, domains: ['artworks-internal'] },
    },
    new Date(),
  );
  const keys = `${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`;
  const began = Date.now();
  const styles = (api: number) => call(`${stack.baseUrls[api]}/v2/artworks/selena/styles`, { key: often.apiKey });
  await Promise.all(Array.from({ length: 60 }, (_, index) => styles(index % 2)));
  expectProblem(await call(keys, { method: 'POST', key: often.apiKey, body: {} }), 'insufficient_scope');
  expectProblem(await call(`${stack.baseUrl}/v2/artworks/x`, { key: often.apiKey }), 'not_found');
  const ended = Date.now();

  const [one, two] = [await makeKey(), await makeKey({ scope: 'generator' })];
  for (let index = 0; index < 10; index++) await post(one.apiKey, 'artworks/selena', prompt, index % 2);
  await post(one.apiKey, 'artworks/selena', {}, 0);
  const { body } = await post(two.apiKey, 'artworks/quantum', prompt, 1);
  await post(two.apiKey, 'textcraft', { task: 'rewrite', ...prompt }, 1);
  expectProblem(await readUsage(two.apiKey), 'insufficient_scope');
  const stopped = day(0);
  await Promise.all(stack.apis.map((api) => api.stop()));
  await Promise.all([stack.startApi(0), stack.startApi(1)]);
  await deleteArtwork(db, String(body['id']), new Date());

  const revoked = await call(`${keys}/${often.row.id}`, { method: 'DELETE', key: stack.adminKey });
  expect(revoked.body['usageCount']).toBe(62);
  const lastUsedAt = Date.parse(String(revoked.body['lastUsedAt']));
  expect(lastUsedAt).toBeGreaterThanOrEqual(began);
  expect(lastUsedAt).toBeLessThanOrEqual(ended);

  const response = await readUsage(one.apiKey);
  (await readContract(stack.baseUrl)).check('GET', '/v2/usage', response);
  const date = expect.any(String);
  expect(response.body).toEqual({
    ...{ from: day(29), to: stopped, nextCursor: null },
    totals: { requests: 14, artworks: 11, credits: 0 },
    items: [
      { date, operation: null, keyId: two.id, requests: 1, artworks: 0, credits: 0 },
      { date, operation: 'quantum', keyId: two.id, requests: 1, artworks: 1, credits: 0 },
      { date, operation: 'selena', keyId: one.id, requests: 11, artworks: 10, credits: 0 },
      { date, operation: 'textcraft', keyId: two.id, requests: 1, artworks: 0, credits: 0 },
    ],
  });
  // This read counts as well, a moment later.
  await eventually(async () => {
    const [first] = (await readUsage(one.apiKey, 1)).body.items;
    expect(first).toMatchObject({ operation: null, keyId: one.id });
  });
});

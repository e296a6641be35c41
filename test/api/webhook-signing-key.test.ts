/** The webhook signing key: its rotation and deletion as receivers see them, its audit entries, and its encryption at rest. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhookWithPublicKey } from '../../clients/verify-webhook.ts';
import type { SigningKeyView } from '../../schemas/signing-key.ts';
import type { Database } from '../../store/database.ts';
import { WebhookSigningKey } from '../../store/entities.ts';
import { deleteExpiredSigningKeys, privateSigningKeys, rotateSigningKey } from '../../store/signing-keys.ts';
import { openVault } from '../../store/vault.ts';
import { reencryptSecrets } from '../../store/webhook-secrets.ts';
import { service as byService } from '../../store/audit.ts';
import { call, create } from '../support/client.ts';
import { ownDatabase, secret } from '../support/database.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestOrganization } from '../support/test-organization.ts';

let service: Service;
let receiver: Receiver;
let db: Database;

beforeAll(async () => {
  [service, receiver] = await Promise.all([joinService('quick'), startReceiver()]);
  db = openTestDatabase(service.databaseUrl);
});
afterAll(async () => {
  await Promise.all([receiver.close(), db.close()]);
});

const request = <T = SigningKeyView>(method: string, body?: object) =>
  call<T>(`${service.baseUrl}/v2/organizations/${service.orgId}/webhook-signing-key`, {
    ...{ method, key: service.adminKey, body },
  });

async function rotate(body?: object): Promise<SigningKeyView> {
  const { status, body: key } = await request('POST', body);
  expect(status).toBe(200);
  expect((await request('GET')).body).toEqual(key);
  return key;
}

/** Delivers a new artwork, whose `v1` the secret must verify. Returns the kinds of its signatures, and the public keys that verify it. */
async function delivered(...publicKeys: string[]): Promise<{ kinds: string; genuine: boolean[] }> {
  const { id } = await create(service, { prompt: 'hardcore porn', webhookUrl: receiver.url });
  const [one] = await receiver.until(id);
  const { raw, headers } = one!;
  expect(new Webhook(service.webhookSecret).verify(raw, headers as Record<string, string>)).toMatchObject({ id });
  const verify = (key: string) => verifyWebhookWithPublicKey(raw, headers, key).then(Boolean, () => false);
  const kinds = String(headers['webhook-signature']).replaceAll(/,\S+/g, '');
  return { kinds, genuine: await Promise.all(publicKeys.map(verify)) };
}

test('deliveries carry the signature of each key from its creation until its end, beside that of the secret', async () => {
  expectProblem(await request<Record<string, unknown>>('GET'), 'not_found');
  expectProblem(await request<Record<string, unknown>>('DELETE'), 'not_found');
  expect(await delivered()).toEqual({ kinds: 'v1', genuine: [] });

  const first = await rotate({ gracePeriodSeconds: 3600 });
  const noPrevious = { previousPublicKey: null, previousKeyExpiresAt: null };
  const publicKey = expect.stringMatching(/^whpk_[0-9A-Za-z+/]{43}=$/);
  const createdAt = new Date(first.createdAt).toISOString();
  expect(first).toEqual({ orgId: service.orgId, publicKey, createdAt, ...noPrevious });
  expect(await delivered(first.publicKey)).toEqual({ kinds: 'v1 v1a', genuine: [true] });

  const second = await rotate({ gracePeriodSeconds: 3600 });
  const previousKeyExpiresAt = new Date(Date.parse(second.createdAt) + 3_600_000).toISOString();
  expect(second).toMatchObject({ previousPublicKey: first.publicKey, previousKeyExpiresAt });
  const both = await delivered(second.publicKey, first.publicKey);
  expect(both).toEqual({ kinds: 'v1 v1a v1a', genuine: [true, true] });

  const third = await rotate();
  expect(third).toMatchObject(noPrevious);
  const alone = await delivered(third.publicKey, second.publicKey);
  expect(alone).toEqual({ kinds: 'v1 v1a', genuine: [true, false] });

  expect((await request('DELETE')).status).toBe(204);
  expect(await delivered(third.publicKey)).toEqual({ kinds: 'v1', genuine: [false] });

  const audit = `${service.baseUrl}/v2/organizations/${service.orgId}/audit?limit=2`;
  const { body } = await call<{ items: object[] }>(audit, { key: service.adminKey });
  expect(body.items).toMatchObject([
    { action: 'webhook_signing_key.deleted', target: service.orgId, changes: { publicKey: third.publicKey } },
    { action: 'webhook_signing_key.rotated', changes: { publicKey: third.publicKey, gracePeriodSeconds: 0 } },
  ]);
});

test('the previous key ends with its grace period, and is then deleted', async () => {
  const { orgId } = await createTestOrganization(db, service.secret);
  const vault = openVault(service.secret);
  const now = new Date();
  const rotation = { org: orgId, gracePeriodSeconds: 60, now };
  const first = await rotateSigningKey(db, vault, rotation, byService);
  const { previousExpiresAt } = await rotateSigningKey(db, vault, rotation, byService);
  const keysAt = (time: Date) => privateSigningKeys(db, vault, orgId, time);
  expect(await keysAt(now)).toHaveLength(2);
  expect(await keysAt(previousExpiresAt!)).toHaveLength(1);
  const stored = () => db.em().findOneOrFail(WebhookSigningKey, { org: orgId });
  await deleteExpiredSigningKeys(db, now);
  expect((await stored()).previousPublicKey).toBe(first.publicKey);
  await deleteExpiredSigningKeys(db, previousExpiresAt!);
  const nothing = { previousPublicKey: null, previousPrivateKey: null, previousExpiresAt: null };
  expect(await stored()).toMatchObject(nothing);
});

test('concurrent rotations leave one key and the one before it', async () => {
  const { orgId } = await createTestOrganization(db, service.secret);
  const vault = openVault(service.secret);
  const rotation = { org: orgId, gracePeriodSeconds: 60, now: new Date() };
  const all = await Promise.all(Array.from({ length: 5 }, () => rotateSigningKey(db, vault, rotation, byService)));
  const stored = await db.em().findOneOrFail(WebhookSigningKey, { org: orgId });
  const made = all.map(({ publicKey }) => publicKey);
  expect(new Set(made).size).toBe(5);
  expect(made).toEqual(expect.arrayContaining([stored.publicKey, stored.previousPublicKey]));
  expect(await privateSigningKeys(db, vault, orgId, rotation.now)).toHaveLength(2);
});

test('a private key is encrypted for its organization, and follows a new ATELIER_SECRET', async () => {
  const own = await ownDatabase();
  const store = openTestDatabase(own.url);
  const [orgA, orgB] = await Promise.all([
    createTestOrganization(store, secret),
    createTestOrganization(store, secret),
  ]);
  const now = new Date();
  const rotation = { org: orgA.orgId, gracePeriodSeconds: 60, now };
  for (let time = 0; time < 2; time++) await rotateSigningKey(store, openVault(secret), rotation, byService);
  const keys = (vault: string, org: string) => privateSigningKeys(store, openVault(vault), org, now);
  const before = await keys(secret, orgA.orgId);
  const { rows } = await own.sql.query<{ row: string }>('select one::text as row from webhook_signing_key one');
  for (const key of before)
    expect(rows[0]?.row).not.toContain(Buffer.from(key, 'base64').subarray(-32).toString('hex'));

  const next = 'another secret, at least 32 characters long';
  // The demo organization is the third.
  expect(await reencryptSecrets(store, openVault(next, secret))).toBe(3);
  expect(await reencryptSecrets(store, openVault(next, secret))).toBe(0);
  expect(await keys(next, orgA.orgId)).toEqual(before);
  await expect(keys(secret, orgA.orgId)).rejects.toThrow('another ATELIER_SECRET');

  await own.sql.query('update webhook_signing_key set org_id = $1', [orgB.orgId]);
  await expect(keys(next, orgB.orgId)).rejects.toThrow('for another owner than');
  await own.sql.query(
    `update webhook_signing_key set private_key = (select webhook_secret from organization where id = $1)`,
    [orgB.orgId],
  );
  await expect(keys(next, orgB.orgId)).rejects.toThrow('for another owner than');
  await Promise.all([store.close(), own.sql.end()]);
});

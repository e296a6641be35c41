/** Webhook secrets in the database: bound to their organization, readable by release 2.6.2 until they are re-encrypted, deleted in time. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { Organization } from '../../store/entities.ts';
import { createOrganization, rotateWebhookSecret } from '../../store/organizations.ts';
import { sweep } from '../../store/sweep.ts';
import { openVault } from '../../store/vault.ts';
import { reencryptSecrets, signingSecrets } from '../../store/webhook-secrets.ts';
import { type OwnDatabase, ownDatabase, secret } from '../support/database.ts';
import { openTestDatabase } from '../support/open-database.ts';

const vault = openVault(secret);
const demo = 'org_demo';
const marker = Buffer.from('ATELIER1');
let own: OwnDatabase;
let db: Database;

beforeEach(async () => {
  own = await ownDatabase();
  db = openTestDatabase(own.url);
});
afterEach(async () => {
  await Promise.all([db.close(), own.sql.end()]);
});

const create = (id: string) => createOrganization(db, vault, { id, name: id, now: new Date() });
const signing = (id: string, now = new Date(), by = vault) => signingSecrets(db, by, id, now);
const organization = (id: string) => db.em().findOneOrFail(Organization, { id });

async function isBound(id: string): Promise<boolean> {
  return marker.equals(Buffer.from((await organization(id)).webhookSecret).subarray(0, marker.length));
}

/** Stores the secret of an organization as release 2.6.2 does. */
async function storeAsBefore(id: string, text: string): Promise<void> {
  await db.em().nativeUpdate(Organization, { id }, { webhookSecret: vault.encrypt(text, id, 'plain') });
}

const rotate = (id: string, gracePeriodSeconds: number, now = new Date()) =>
  rotateWebhookSecret(db, vault, { id, gracePeriodSeconds, now });

test('new secrets are bound to their organization: in the row of another, they sign nothing', async () => {
  await create('org_a');
  await create('org_b');
  expect([await isBound('org_a'), await isBound('org_b')]).toEqual([true, true]);
  await own.sql.query(`update organization set webhook_secret = (
    select webhook_secret from organization where id = 'org_a') where id = 'org_b'`);
  await expect(signing('org_b')).rejects.toThrow('for another owner than org_b');
});

test('while release 2.6.2 has a secret in the database, it can read each new one', async () => {
  await storeAsBefore(demo, 'whsec_earlier');
  expect(await signing(demo)).toEqual(['whsec_earlier']);
  await create('org_new');
  await rotate(demo, 60);
  expect([await isBound('org_new'), await isBound(demo)]).toEqual([false, false]);
});

test('a re-encryption binds all secrets, continues after an interruption, and changes nothing when repeated', async () => {
  await storeAsBefore(demo, 'whsec_earlier');
  const created = await create('org_new');
  const { webhookSecret: rotated } = await rotate(demo, 60);
  const lost = openVault('a secret that is lost, at least 32 characters');
  await db
    .em()
    .nativeUpdate(Organization, { id: 'org_new' }, { webhookSecret: lost.encrypt(created, 'org_new', 'plain') });
  await expect(reencryptSecrets(db, vault)).rejects.toThrow('another ATELIER_SECRET');
  await storeAsBefore('org_new', created);
  // The interrupted one has re-encrypted the first organization.
  expect(await reencryptSecrets(db, vault)).toBe(1);
  const before = await organization('org_new');
  expect(await reencryptSecrets(db, vault)).toBe(0);
  expect(await organization('org_new')).toEqual(before);
  expect(await signing('org_new')).toEqual([created]);
  expect(await signing(demo)).toEqual([rotated, 'whsec_earlier']);
  await rotate('org_new', 0);
  expect([await isBound('org_new'), await isBound(demo)]).toEqual([true, true]);
});

test('a re-encryption with a new secret ends the use of the old one', async () => {
  const [before] = await signing(demo);
  const next = 'the next secret of these tests, at least 32 characters';
  expect(await reencryptSecrets(db, openVault(next, secret))).toBe(1);
  expect(await signing(demo, new Date(), openVault(next))).toEqual([before]);
  await expect(signing(demo)).rejects.toThrow('another ATELIER_SECRET');
});

test('the sweep deletes a previous secret after its grace period', async () => {
  const now = new Date();
  const { webhookSecret } = await rotate(demo, 60, now);
  const sweepAt = (seconds: number) =>
    sweep(db, new Date(now.getTime() + seconds * 1000), new AbortController().signal);
  await sweepAt(59);
  expect(await signing(demo, now)).toHaveLength(2);
  await sweepAt(60);
  expect(await organization(demo)).toMatchObject({ previousSecret: null, previousSecretExpiresAt: null });
  // With a clock that is late, too.
  expect(await signing(demo, now)).toEqual([webhookSecret]);
});

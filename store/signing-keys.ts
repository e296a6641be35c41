/** The Ed25519 keys that sign webhooks. Private keys are encrypted, each bound to its organization, and never leave the service. */
import { generateKeyPairSync } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Author, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { WebhookSigningKey } from './entities.ts';
import { endOfGracePeriod } from './grace-period.ts';
import type { Vault } from './vault.ts';

/** The owner of the ciphertext. With it, a webhook secret cannot be put in the place of a private key. */
const ownerOf = (org: string) => `${org} webhook_signing_key`;

interface KeyPair {
  /** `whpk_…`. */
  publicKey: string;
  /** Base64 of the PKCS #8 form. */
  privateKey: string;
}

function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  // The raw key is the end of its DER form.
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKey: `whpk_${raw.toString('base64')}`,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** @returns null when the organization has no signing key */
export function findSigningKey(db: Database, org: string): Promise<WebhookSigningKey | null> {
  return db.em().findOne(WebhookSigningKey, { org });
}

/**
 * Creates the signing key of an organization, or replaces it. During the grace period, both keys sign each delivery. One
 * statement changes all columns, so two concurrent requests cannot mix their keys.
 */
export function rotateSigningKey(
  db: Database,
  vault: Vault,
  { org, gracePeriodSeconds, now }: { org: string; gracePeriodSeconds: number; now: Date },
  author: Author,
): Promise<WebhookSigningKey> {
  const { publicKey, privateKey } = newKeyPair();
  const encrypted = vault.encrypt(privateKey, ownerOf(org), 'bound');
  const graceEnds = endOfGracePeriod(gracePeriodSeconds, now);
  return db.em().transactional(async (em) => {
    await em.execute(
      `insert into webhook_signing_key as known (org_id, public_key, private_key, created_at)
       values (?, ?, ?, ?)
       on conflict (org_id) do update
       set
         previous_public_key = case when ?::timestamptz is null then null else known.public_key end,
         previous_private_key = case when ?::timestamptz is null then null else known.private_key end,
         previous_expires_at = ?,
         public_key = excluded.public_key,
         private_key = excluded.private_key,
         created_at = excluded.created_at`,
      [org, publicKey, encrypted, now, graceEnds, graceEnds, graceEnds],
      'run',
    );
    const changes = { publicKey, gracePeriodSeconds };
    await recordChange(em, author, { org, action: 'webhook_signing_key.rotated', target: org, changes, at: now });
    return em.findOneOrFail(WebhookSigningKey, { org });
  });
}

/** Ends the signing key at once, and its predecessor. @returns false when the organization has none */
export function deleteSigningKey(db: Database, org: string, now: Date, author: Author): Promise<boolean> {
  return db.em().transactional(async (em) => {
    const key = await em.findOne(WebhookSigningKey, { org }, { fields: ['publicKey'] });
    if (!key || !(await em.nativeDelete(WebhookSigningKey, { org }))) return false;
    const changes = { publicKey: key.publicKey };
    await recordChange(em, author, { org, action: 'webhook_signing_key.deleted', target: org, changes, at: now });
    return true;
  });
}

/** Returns the private keys that sign a delivery now, newest first: base64 of PKCS #8. There may be none. */
export async function privateSigningKeys(db: Database, vault: Vault, org: string, now: Date): Promise<string[]> {
  const key = await findSigningKey(db, org);
  if (!key) return [];
  const { privateKey, previousPrivateKey } = key;
  const current = vault.decrypt(privateKey, ownerOf(org));
  return previousPrivateKey && isInGrace(key, now)
    ? [current, vault.decrypt(previousPrivateKey, ownerOf(org))]
    : [current];
}

/** Returns whether the previous key still signs. */
export const isInGrace = ({ previousExpiresAt }: WebhookSigningKey, now: Date): boolean =>
  previousExpiresAt != null && previousExpiresAt > now;

/** Deletes previous keys whose grace period is over. */
export async function deleteExpiredSigningKeys(db: Database, now: Date): Promise<void> {
  const nothing = { previousPublicKey: null, previousPrivateKey: null, previousExpiresAt: null };
  await db.em().nativeUpdate(WebhookSigningKey, { previousExpiresAt: { $lte: now } }, nothing);
}

/**
 * Encrypts the private keys with the current secret of the vault. The caller has locked the organization. Returns whether
 * any was encrypted with another one.
 */
export async function reencryptSigningKey(em: EntityManager, vault: Vault, org: string): Promise<boolean> {
  // A rotation does not lock the organization, so this waits for it.
  await em.execute('select from webhook_signing_key where org_id = ? for update', [org]);
  const key = await em.findOne(WebhookSigningKey, { org });
  if (!key) return false;
  const { privateKey, previousPrivateKey } = key;
  if ([privateKey, previousPrivateKey].every((bytes) => !bytes || vault.isCurrent(bytes))) return false;
  const reencrypt = (bytes: Uint8Array) => vault.encrypt(vault.decrypt(bytes, ownerOf(org)), ownerOf(org), 'bound');
  const keys = {
    privateKey: reencrypt(privateKey),
    previousPrivateKey: previousPrivateKey ? reencrypt(previousPrivateKey) : null,
  };
  await em.nativeUpdate(WebhookSigningKey, { org }, keys);
  return true;
}

/** The encrypted webhook secrets of organizations: which format new ones get, and the re-encryption of all of them and of signing keys. */
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Author, operator, recordChange } from './audit.ts';
import { type Format, marker } from './ciphertext.ts';
import type { Database } from './database.ts';
import { Organization } from './entities.ts';
import { reencryptSigningKey } from './signing-keys.ts';
import type { Vault } from './vault.ts';

/**
 * Returns the format of new webhook secrets: `plain` while any organization has such a secret, because processes of
 * release 2.6.2, which read no other format, may then run beside this one or follow it after a rollback.
 */
export async function formatInUse(em: EntityManager): Promise<Format> {
  const [{ isPlain } = { isPlain: false }] = await em.execute<{ isPlain: boolean }[]>(
    `select exists (select from organization where substring(webhook_secret for ${marker.length}) <> ?) as "isPlain"`,
    [marker],
  );
  return isPlain ? 'plain' : 'bound';
}

/**
 * Encrypts all webhook secrets and private signing keys with the current secret of the vault, each bound to its organization. Each organization is
 * one transaction, and those that are encrypted in this way already are left as they are, so it can be repeated.
 * @returns the number of organizations whose secrets it has encrypted
 */
export async function reencryptSecrets(
  db: Database,
  vault: Vault,
  now = new Date(),
  author: Author = operator,
): Promise<number> {
  const organizations = await db.em().findAll(Organization, { fields: ['id'], orderBy: { id: 'asc' } });
  let reencrypted = 0;
  for (const { id } of organizations) if (await reencryptOne(db, vault, id, now, author)) reencrypted++;
  return reencrypted;
}

function reencryptOne(db: Database, vault: Vault, id: string, now: Date, author: Author): Promise<boolean> {
  return db.em().transactional(async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const { webhookSecret, previousSecret } = await em.findOneOrFail(Organization, { id }, { lockMode });
    const hasReencryptedKey = await reencryptSigningKey(em, vault, id);
    if ([webhookSecret, previousSecret].every((bytes) => !bytes || vault.isCurrent(bytes))) return hasReencryptedKey;
    const reencrypt = (bytes: Uint8Array) => vault.encrypt(vault.decrypt(bytes, id), id, 'bound');
    const secrets = {
      webhookSecret: reencrypt(webhookSecret),
      previousSecret: previousSecret ? reencrypt(previousSecret) : null,
    };
    await em.nativeUpdate(Organization, { id }, secrets);
    const change = { org: id, action: 'webhook_secret.reencrypted', target: id, changes: {}, at: now } as const;
    await recordChange(em, author, change);
    return true;
  });
}

/** Returns the secrets that sign a delivery now, newest first. */
export async function signingSecrets(db: Database, vault: Vault, id: string, now: Date): Promise<string[]> {
  const organization = await db.em().findOneOrFail(Organization, { id });
  const { webhookSecret, previousSecret, previousSecretExpiresAt } = organization;
  const current = vault.decrypt(webhookSecret, id);
  const inGrace = previousSecret && previousSecretExpiresAt && previousSecretExpiresAt > now;
  return inGrace ? [current, vault.decrypt(previousSecret, id)] : [current];
}

/** Deletes previous webhook secrets whose grace period is over. Such a secret signs nothing any more. */
export async function deleteExpiredSecrets(db: Database, now: Date): Promise<void> {
  await db.em().execute(
    `update organization
     set previous_secret = null, previous_secret_expires_at = null
     where previous_secret_expires_at <= ?`,
    [now],
    'run',
  );
}

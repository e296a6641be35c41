/** Organizations and their webhook secrets. */
import type { Database } from './database.ts';
import { Organization } from './entities.ts';
import { newWebhookSecret } from './ids.ts';
import type { Vault } from './vault.ts';

/** @returns the webhook secret in clear: it is shown once. */
export async function createOrganization(
  db: Database,
  vault: Vault,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<string> {
  const secret = newWebhookSecret();
  await db.em().insert(Organization, { id, name, createdAt: now, webhookSecret: vault.encrypt(secret) });
  return secret;
}

export function findOrganization(db: Database, id: string): Promise<Organization | null> {
  return db.em().findOne(Organization, { id });
}

export function listOrganizations(db: Database): Promise<Organization[]> {
  return db.em().findAll(Organization, { orderBy: { id: 'asc' } });
}

/**
 * Replaces the secret; the previous one goes on signing beside it for the grace period.
 * One statement, so that two rotations at once leave one of the two new secrets and never a mixture.
 */
export async function rotateWebhookSecret(
  db: Database,
  vault: Vault,
  { id, gracePeriodSeconds, now }: { id: string; gracePeriodSeconds: number; now: Date },
): Promise<{ webhookSecret: string; previousSecretExpiresAt: Date | null }> {
  const webhookSecret = newWebhookSecret();
  const previousSecretExpiresAt = gracePeriodSeconds > 0 ? new Date(now.getTime() + gracePeriodSeconds * 1000) : null;
  await db
    .em()
    .getConnection()
    .execute(
      `update organization set previous_secret = case when ?::timestamptz is null then null else webhook_secret end,
       previous_secret_expires_at = ?, webhook_secret = ?, webhook_secret_rotated_at = ? where id = ?`,
      [previousSecretExpiresAt, previousSecretExpiresAt, vault.encrypt(webhookSecret), now, id],
      'run',
    );
  return { webhookSecret, previousSecretExpiresAt };
}

/** The secrets that sign a delivery at this moment, newest first. */
export async function signingSecrets(db: Database, vault: Vault, id: string, now: Date): Promise<string[]> {
  const organization = await db.em().findOneOrFail(Organization, { id });
  const { webhookSecret, previousSecret, previousSecretExpiresAt } = organization;
  const current = vault.decrypt(webhookSecret);
  const inGrace = previousSecret && previousSecretExpiresAt && previousSecretExpiresAt > now;
  return inGrace ? [current, vault.decrypt(previousSecret)] : [current];
}

/** Organizations, and the rotation of their webhook secrets. */
import { type Author, operator, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { Organization } from './entities.ts';
import { endOfGracePeriod } from './grace-period.ts';
import { newWebhookSecret } from './ids.ts';
import type { Vault } from './vault.ts';
import { formatInUse } from './webhook-secrets.ts';

/** @returns the webhook secret in plain text, which cannot be read later */
export async function createOrganization(
  db: Database,
  vault: Vault,
  { id, name, now }: { id: string; name: string; now: Date },
  author: Author = operator,
): Promise<string> {
  const secret = newWebhookSecret();
  await db.em().transactional(async (em) => {
    const webhookSecret = vault.encrypt(secret, id, await formatInUse(em));
    await em.insert(Organization, { id, name, createdAt: now, webhookSecret });
    await recordChange(em, author, { org: id, action: 'organization.created', target: id, changes: { name }, at: now });
  });
  return secret;
}

export function findOrganization(db: Database, id: string): Promise<Organization | null> {
  return db.em().findOne(Organization, { id });
}

export function listOrganizations(db: Database): Promise<Organization[]> {
  return db.em().findAll(Organization, { orderBy: { id: 'asc' } });
}

/**
 * Replaces the webhook secret. During the grace period, both secrets sign each delivery. One statement changes all
 * columns, so two concurrent rotations cannot mix their secrets.
 */
export async function rotateWebhookSecret(
  db: Database,
  vault: Vault,
  { id, gracePeriodSeconds, now }: { id: string; gracePeriodSeconds: number; now: Date },
  author: Author = operator,
): Promise<{ webhookSecret: string; previousSecretExpiresAt: Date | null }> {
  const webhookSecret = newWebhookSecret();
  const previousSecretExpiresAt = endOfGracePeriod(gracePeriodSeconds, now);
  await db.em().transactional(async (em) => {
    const encrypted = vault.encrypt(webhookSecret, id, await formatInUse(em));
    await em.execute(
      `update organization
       set
         previous_secret = case when ?::timestamptz is null then null else webhook_secret end,
         previous_secret_expires_at = ?,
         webhook_secret = ?,
         webhook_secret_rotated_at = ?
       where id = ?`,
      [previousSecretExpiresAt, previousSecretExpiresAt, encrypted, now, id],
      'run',
    );
    const changes = { gracePeriodSeconds };
    await recordChange(em, author, { org: id, action: 'webhook_secret.rotated', target: id, changes, at: now });
  });
  return { webhookSecret, previousSecretExpiresAt };
}

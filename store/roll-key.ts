/** Rolls API keys: the key gets a new secret, and stays the owner of its artworks, files, credits and usage. */
import { type Author, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { ApiKey, PreviousKey } from './entities.ts';
import { newApiKey } from './ids.ts';
import { digest, lockUnrevoked, prefixOf } from './keys.ts';

export interface Roll {
  orgId: string;
  id: string;
  /** How long requests may use the previous secret as well; 0: not at all. */
  gracePeriodSeconds: number;
  now: Date;
}

export interface RolledKey {
  row: ApiKey;
  /** The full key, which is not stored and cannot be read later. */
  apiKey: string;
  /** When the grace period ends; null without one. */
  previousKeyExpiresAt: Date | null;
}

/** Gives a key a new secret. A roll ends the grace period of an earlier one. @returns null when the key is revoked or unknown */
export function rollKey(db: Database, roll: Roll, author: Author): Promise<RolledKey | null> {
  const { orgId, id, gracePeriodSeconds, now } = roll;
  return db.em().transactional(async (em) => {
    const key = await lockUnrevoked(em, { id, org: orgId });
    if (!key) return null;
    const apiKey = newApiKey(key.environment);
    const secret = { hash: digest(apiKey), prefix: prefixOf(apiKey) };
    const previousKeyExpiresAt = gracePeriodSeconds > 0 ? new Date(now.getTime() + gracePeriodSeconds * 1000) : null;
    await em.nativeDelete(PreviousKey, { key: id });
    if (previousKeyExpiresAt)
      await em.insert(PreviousKey, { key: id, hash: key.hash, expiresAt: previousKeyExpiresAt });
    await em.nativeUpdate(ApiKey, { id }, secret);
    const changes = { keyPrefix: { from: key.prefix, to: secret.prefix }, previousKeyExpiresAt };
    await recordChange(em, author, { org: orgId, action: 'api_key.rolled', target: id, changes, at: now });
    return { row: { ...key, ...secret }, apiKey, previousKeyExpiresAt };
  });
}

/** Deletes previous keys whose grace period has ended. */
export async function deletePreviousKeys(db: Database, now: Date): Promise<void> {
  await db.em().nativeDelete(PreviousKey, { expiresAt: { $lte: now } });
}

/** Rolls API keys: the key gets a new secret, and stays the owner of its artworks, files, credits and usage. */
import { type Author, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { ApiKey, PreviousKey } from './entities.ts';
import { endOfGracePeriod } from './grace-period.ts';
import { newApiKey } from './ids.ts';
import { digest, lockUnrevoked, prefixOf } from './keys.ts';

export interface Roll {
  orgId: string;
  id: string;
  /** Seconds for which the previous secret remains valid; 0: it ends at once. */
  gracePeriodSeconds: number;
  now: Date;
  /** Throws if the key must not be rolled. It gets the locked key. */
  check?(key: ApiKey): void;
}

export interface RolledKey {
  row: ApiKey;
  /** The full key, which is not stored and cannot be read later. */
  apiKey: string;
  /** When the grace period ends; null without one. */
  previousKeyExpiresAt: Date | null;
}

/**
 * Gives a key a new secret. A roll ends the grace period of an earlier one. @returns null when the key is revoked or unknown
 * @throws the error of `check`
 */
export function rollKey(db: Database, roll: Roll, author: Author): Promise<RolledKey | null> {
  const { orgId, id, now } = roll;
  return db.em().transactional(async (em) => {
    // The hash belongs to a unique index. A weaker lock would be raised to this one, against creations that wait for it.
    const key = await lockUnrevoked(em, { id, org: orgId }, 'update');
    if (!key) return null;
    roll.check?.(key);
    const apiKey = newApiKey(key.environment);
    const secret = { hash: digest(apiKey), prefix: prefixOf(apiKey) };
    const previousKeyExpiresAt = endOfGrace(key, roll);
    await em.nativeDelete(PreviousKey, { key: id });
    if (previousKeyExpiresAt)
      await em.insert(PreviousKey, { key: id, hash: key.hash, expiresAt: previousKeyExpiresAt });
    await em.nativeUpdate(ApiKey, { id }, secret);
    const changes = { keyPrefix: { from: key.prefix, to: secret.prefix }, previousKeyExpiresAt };
    await recordChange(em, author, { org: orgId, action: 'api_key.rolled', target: id, changes, at: now });
    return { row: { ...key, ...secret }, apiKey, previousKeyExpiresAt };
  });
}

/** Returns when the previous secret stops working: at the end of the grace period, or with the key. */
function endOfGrace({ expiresAt }: ApiKey, { gracePeriodSeconds, now }: Roll): Date | null {
  const end = endOfGracePeriod(gracePeriodSeconds, now);
  return end && expiresAt && expiresAt < end ? expiresAt : end;
}

/** Deletes previous keys whose grace period has ended. */
export async function deletePreviousKeys(db: Database, now: Date): Promise<void> {
  await db.em().nativeDelete(PreviousKey, { expiresAt: { $lte: now } });
}

/** Limits the usable keys of an organization. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRoom } from './limit-exceeded.ts';
import { countKeys, type LimitHolder } from './limit-use.ts';

/**
 * Lets one transaction at a time add a usable key, so that concurrent requests cannot exceed the limit.
 * @param allowed null: no limit
 * @throws LimitExceeded
 */
export async function requireRoomForKey(
  em: EntityManager,
  { org, environment }: LimitHolder,
  allowed: number | null,
  now: Date,
): Promise<void> {
  if (allowed === null) return;
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`keys of ${org}`]);
  const used = await countKeys(em, { org, environment }, now);
  requireRoom('keys', { environment, allowed, used, requested: 1 });
}

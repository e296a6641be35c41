/** The rows of artworks, from the insert before the 202 to the purge. Every step is idempotent. */
import { LockMode } from '@mikro-orm/postgresql';
import type { Plan } from '../schemas/plan.ts';
import { free, type Quote } from '../schemas/price.ts';
import { type CreditLimits, lockCredits } from './credit-limits.ts';
import { isSettled, reserve, settle } from './credits.ts';
import { type Database, isForeignKeyViolation, isUniqueViolation } from './database.ts';
import { Artwork, RunningCall } from './entities.ts';
import type { Idempotency } from './idempotency.ts';
import { discardJobs } from './obsolete-jobs.ts';

export type NewArtwork = Pick<
  Artwork,
  'id' | 'org' | 'key' | 'operation' | 'domain' | 'input' | 'metadata' | 'webhookUrl' | 'createdAt' | 'expiresAt'
> & {
  plan: Plan;
  requestId?: string | null;
  quote?: Quote;
  idempotency?: Idempotency | null;
  /** Null: none. */
  creditLimits?: CreditLimits | null;
};

/**
 * Inserts an artwork and reserves its price. The transaction matters for a database that hangs: it may still run a
 * statement after the client has timed out, but without the commit the statement has no effect.
 * @throws UniqueConstraintViolationException when the workflow has claimed the id, or (`onePerIdempotencyKey`) when
 * another request with the same key was first; an error that `isOutOfCredits` accepts when the key has too few credits;
 * LimitExceeded when the organization would spend more than its limit
 */
export async function insertArtwork(
  db: Database,
  { quote = free, idempotency = null, creditLimits = null, ...artwork }: NewArtwork,
): Promise<void> {
  const row = {
    ...artwork,
    status: 'STARTING' as const,
    prompt: typeof artwork.plan.prompt === 'string' ? artwork.plan.prompt : null,
    reserved: quote.price,
    tariff: quote.tariff,
    idempotencyKey: idempotency?.key ?? null,
    requestDigest: idempotency?.request ?? null,
  };
  // Only live keys pay.
  const holder = { org: artwork.org, environment: 'live' as const };
  await db.em().transactional(async (em) => {
    if (creditLimits) await lockCredits(em, holder, quote.price, creditLimits, artwork.createdAt);
    await em.insert(Artwork, row);
    await reserve(em, row, artwork.createdAt);
  });
}

/**
 * Claims the id of an artwork whose request was never stored. Only one of this insert and the request's insert can
 * succeed, so the request cannot be stored later. Repeating a claim returns true again.
 * @returns false when the request has been stored
 */
export async function claimArtwork(
  db: Database,
  { id, orgId, keyId, operation }: { id: string; orgId: string; keyId: string; operation: string },
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<boolean> {
  // The column needs a domain; no client can read the row.
  const claim = { id, org: orgId, key: keyId, operation, domain: 'studio', status: 'ABANDONED' } as const;
  const em = db.em();
  try {
    await em.insert(Artwork, { ...claim, input: {}, plan: null, metadata: {}, createdAt: now, expiresAt });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return (await em.count(Artwork, { id, status: 'ABANDONED' })) === 1;
    // The organization or key is deleted, so the request cannot be stored either.
    if (isForeignKeyViolation(error)) return true;
    throw error;
  }
}

/** Sets the status to PROCESSING at the first start. @returns null when the row is missing, `abandoned` for a claim or a tombstone */
export async function beginArtwork(db: Database, id: string, now: Date): Promise<Artwork | 'abandoned' | null> {
  const em = db.em();
  await em.nativeUpdate(Artwork, { id, status: 'STARTING' }, { status: 'PROCESSING', startedAt: now });
  const artwork = await em.findOne(Artwork, { id });
  if (artwork?.status === 'ABANDONED') return 'abandoned';
  // The row was inserted between the two statements: the caller's next attempt updates it.
  return artwork?.status === 'STARTING' ? null : artwork;
}

/** @returns null when the row is missing, a claim or a tombstone */
export function findArtwork(db: Database, id: string): Promise<Artwork | null> {
  return db.em().findOne(Artwork, { id, status: { $ne: 'ABANDONED' } });
}

/** Returns the artworks with these ids, in any order, without claims and tombstones. */
export function findArtworks(db: Database, ids: readonly string[]): Promise<Artwork[]> {
  return db.em().find(Artwork, { id: { $in: [...ids] }, status: { $ne: 'ABANDONED' } });
}

/** Deletes the row and all rows that refer to it, and releases a reservation that is still open. */
export async function deleteArtworkRows(db: Database, id: string, now: Date): Promise<void> {
  await db.em().transactional(async (em) => {
    const fields = ['id', 'key', 'operation', 'reserved'] as const;
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const artwork = await em.findOne(Artwork, { id }, { lockMode, fields: [...fields] });
    // Deletes only a locked row: a row inserted between the statements would lose its reservation.
    if (!artwork) return;
    await discardJobs(em, id, now);
    await em.nativeDelete(Artwork, { id });
    // A dead worker leaves the rows of its slots behind, and no foreign key deletes them.
    await em.nativeDelete(RunningCall, { artwork: id });
    if (artwork.reserved > 0 && !(await isSettled(em, id))) await settle(em, artwork, 0, now);
  });
}

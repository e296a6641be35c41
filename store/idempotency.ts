/** Finds the artwork that a request with an `Idempotency-Key` has created. The key is stored in the artwork's row. */
import type { Database } from './database.ts';
import { Artwork } from './entities.ts';

/** Digests, because the header may contain anything, such as personal data. */
export interface Idempotency {
  /** SHA-256 of the header. */
  key: Buffer;
  /** SHA-256 of the operation's name and the request. */
  request: Buffer;
}

export type EarlierArtwork = Pick<
  Artwork,
  'id' | 'operation' | 'status' | 'requestDigest' | 'createdAt' | 'expiresAt' | 'reserved'
>;

/** @returns the artwork that this API key has created with the idempotency key; null when there is none or it is purged */
export function findByIdempotencyKey(
  db: Database,
  keyId: string,
  idempotencyKey: Buffer,
): Promise<EarlierArtwork | null> {
  const fields = ['id', 'operation', 'status', 'requestDigest', 'createdAt', 'expiresAt', 'reserved'] as const;
  return db.em().findOne(Artwork, { key: keyId, idempotencyKey }, { fields: [...fields] });
}

/** Removes the idempotency key from a request that has ended without a result or has expired, so that it can run again. */
export async function releaseIdempotencyKey(db: Database, id: string, now: Date): Promise<void> {
  const isUseless = [{ status: { $in: ['FAILED' as const, 'CANCELED' as const] } }, { expiresAt: { $lte: now } }];
  await db.em().nativeUpdate(Artwork, { id, $or: isUseless }, { idempotencyKey: null, requestDigest: null });
}

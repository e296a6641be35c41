/** Requests that can be sent again: which artwork an `Idempotency-Key` has made. The record is part of its row. */
import type { Database } from './database.ts';
import { Artwork } from './entities.ts';

/** Digests only: a client may have put anything into its header. */
export interface Idempotency {
  /** SHA-256 of the header. */
  key: Buffer;
  /** SHA-256 of the operation's name and the request. */
  request: Buffer;
}

export type Earlier = Pick<Artwork, 'id' | 'operation' | 'requestDigest' | 'createdAt' | 'expiresAt' | 'reserved'>;

/** @returns the artwork that this API key has made with it; null when there is none, or none any more */
export function findEarlier(db: Database, keyId: string, idempotencyKey: Buffer): Promise<Earlier | null> {
  const fields = ['id', 'operation', 'requestDigest', 'createdAt', 'expiresAt', 'reserved'] as const;
  return db.em().findOne(Artwork, { key: keyId, idempotencyKey }, { fields: [...fields] });
}

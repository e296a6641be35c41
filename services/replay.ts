/** What an earlier request with the same `Idempotency-Key` was answered with. */
import type { Accepted } from '../schemas/artwork.ts';
import type { ApiKey, Artwork } from '../store/entities.ts';
import { type EarlierArtwork, findByIdempotencyKey, type Idempotency } from '../store/idempotency.ts';
import type { CreationDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';

/** @see viewReplay */
export async function findReplay(
  deps: CreationDependencies,
  key: ApiKey,
  asked: Idempotency,
): Promise<Accepted | null> {
  return viewReplay(await findByIdempotencyKey(deps.db, key.id, asked.key), asked);
}

/**
 * @returns the first 202, or null when there was no such request
 * @throws Problem `idempotency_mismatch` when the earlier request was another one
 */
export function viewReplay(earlier: EarlierArtwork | null, asked: Idempotency): Accepted | null {
  if (!earlier) return null;
  if (!earlier.requestDigest || !asked.request.equals(earlier.requestDigest)) throw new Problem('idempotency_mismatch');
  return viewAccepted(earlier);
}

type Stored = Pick<Artwork, 'id' | 'operation' | 'createdAt' | 'expiresAt' | 'reserved'>;

/** The 202 of a creation, whatever the artwork has come to since. */
export function viewAccepted({ id, operation, createdAt, expiresAt, reserved }: Stored): Accepted {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { id, status: 'STARTING', operation, ...times, ...(reserved > 0 && { credits: { reserved } }) };
}

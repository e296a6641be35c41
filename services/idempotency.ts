/** `Idempotency-Key`: repeats the first response to a request that is sent again with the same key. */
import { createHash } from 'node:crypto';
import type { Accepted } from '../schemas/artwork.ts';
import type { Operation } from '../schemas/operation.ts';
import type { Database } from '../store/database.ts';
import type { ApiKey, Artwork } from '../store/entities.ts';
import {
  type EarlierArtwork,
  findByIdempotencyKey,
  type Idempotency,
  releaseIdempotencyKey,
} from '../store/idempotency.ts';
import { Problem } from './problem.ts';

/** A running query for the artwork that an earlier request with the same `Idempotency-Key` created. */
export interface IdempotencyLookup {
  /** SHA-256 of the header. */
  key: Buffer;
  earlier: Promise<EarlierArtwork | null>;
}

/** Starts the query. It needs the header only, so it can run while the body is read. */
export function lookUpEarlier(db: Database, { id }: ApiKey, header: string): IdempotencyLookup {
  const key = sha256(header);
  const earlier = findByIdempotencyKey(db, id, key);
  // A request that fails before step 2 of `createArtwork` never awaits the query, and its rejection must be handled.
  earlier.catch(() => undefined);
  return { key, earlier };
}

/** Returns a digest that is the same for equal requests only. @param body valid, with its defaults */
export function digestRequest(operation: Operation, body: Record<string, unknown>): Buffer {
  return sha256(canonicalJson([operation.name, withoutDefaults(operation, body)]));
}

/** Finds the first response. @throws Problem `idempotency_mismatch` when the earlier request was different */
export async function findFirstResponse(db: Database, key: ApiKey, request: Idempotency): Promise<Accepted | null> {
  return replayFirstResponse(await findByIdempotencyKey(db, key.id, request.key), request);
}

/**
 * Returns the first 202, or null when there was no earlier request.
 * @throws Problem `idempotency_mismatch` when the earlier request was different
 */
function replayFirstResponse(earlier: EarlierArtwork | null, { request }: Idempotency): Accepted | null {
  if (!earlier) return null;
  if (!earlier.requestDigest || !request.equals(earlier.requestDigest)) throw new Problem('idempotency_mismatch');
  return viewAccepted(earlier);
}

/**
 * Returns the first response, or null when the request must run: there was no earlier one, or it was a synchronous
 * request that failed. Only results are kept.
 * @throws Problem `idempotency_mismatch` when the earlier request was different
 */
export async function replayEarlier(
  db: Database,
  { synchronous }: Operation,
  earlier: EarlierArtwork | null,
  request: Idempotency,
  now: Date,
): Promise<Accepted | null> {
  const first = replayFirstResponse(earlier, request);
  if (!earlier || !synchronous || !hasFailed(earlier, now)) return first;
  await releaseIdempotencyKey(db, earlier.id, now);
  return null;
}

/** Also after its expiry, because nothing will complete a request whose workflow is lost. */
const hasFailed = ({ status, expiresAt }: EarlierArtwork, now: Date) =>
  status === 'FAILED' || status === 'CANCELED' || expiresAt <= now;

type StoredAcceptance = Pick<Artwork, 'id' | 'operation' | 'createdAt' | 'expiresAt' | 'reserved'>;

/** Returns the body of the 202, whatever the artwork's status is now. */
export function viewAccepted({ id, operation, createdAt, expiresAt, reserved }: StoredAcceptance): Accepted {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { id, status: 'STARTING', operation, ...times, ...(reserved > 0 && { credits: { reserved } }) };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Removes defaults, so that a field which a later release adds does not change the digest of an old request. */
function withoutDefaults({ request }: Operation, body: Record<string, unknown>): Record<string, unknown> {
  const isDefault = ([name, value]: [string, unknown]) => {
    const { default: usual } = (request.properties[name] ?? {}) as { default?: unknown };
    return usual !== undefined && canonicalJson(value) === canonicalJson(usual);
  };
  return Object.fromEntries(Object.entries(body).filter((field) => !isDefault(field)));
}

/** Returns JSON with sorted names. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

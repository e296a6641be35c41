/** Lists the artworks that a key may read. */
import type { Operation } from '../schemas/operation.ts';
import { type ListFilter, listArtworks } from '../store/artwork-list.ts';
import type { Database } from '../store/database.ts';
import type { ApiKey, Artwork } from '../store/entities.ts';

interface Dependencies {
  db: Database;
  operations: readonly Operation[];
}

export interface ArtworkFilter extends Omit<ListFilter, 'operations'> {
  /** Null: any operation. */
  operation: string | null;
}

/** Returns artworks, newest first. */
export function listReadableArtworks(
  { db, operations }: Dependencies,
  key: ApiKey,
  { operation, ...filter }: ArtworkFilter,
  now: Date,
): Promise<Artwork[]> {
  const names = operations
    .filter(({ domain, synchronous }) => !synchronous && key.domains.includes(domain))
    .map(({ name }) => name)
    .filter((name) => operation === null || name === operation);
  return listArtworks(db, key, { ...filter, operations: names }, now);
}

/** Lists the artworks that a key may read, newest first. */
import type { Status } from '../schemas/artwork.ts';
import type { Database } from './database.ts';
import { type ApiKey, Artwork } from './entities.ts';

export interface ListFilter {
  /** Null: any status. */
  status: Status | null;
  /** Null: any operation. */
  operation: string | null;
  limit: number;
  /** The last id of the previous page. */
  before: string | null;
}

/** Returns whether a key may read an artwork. `readable` and `listArtworks` express the same rule as a query. */
export function mayRead(key: ApiKey, artwork: Artwork, now: Date): boolean {
  return (
    // The row of a synchronous request has an id with another prefix, and no client may read it.
    artwork.id.startsWith('art_') &&
    artwork.status !== 'ABANDONED' &&
    artwork.org === key.org &&
    key.domains.includes(artwork.domain) &&
    (key.scope !== 'generator' || artwork.key === key.id) &&
    artwork.expiresAt > now
  );
}

const readable = (key: ApiKey, now: Date) => ({
  org: key.org,
  ...(key.scope === 'generator' && { key: key.id }),
  domain: { $in: key.domains },
  expiresAt: { $gt: now },
});

export function listArtworks(db: Database, key: ApiKey, filter: ListFilter, now: Date): Promise<Artwork[]> {
  const { status, operation, limit, before } = filter;
  const where = {
    ...readable(key, now),
    status: status ?? { $ne: 'ABANDONED' as const },
    ...(operation !== null && { operation }),
    id: { $gt: 'art_', ...(before !== null && { $lt: before }) },
  };
  return db.em().find(Artwork, where, { orderBy: { id: 'desc' }, limit });
}

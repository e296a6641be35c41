/** Lists of artworks: those that a key may read, newest first. */
import type { Status } from '../schemas/artwork.ts';
import type { Database } from './database.ts';
import { type ApiKey, Artwork } from './entities.ts';

export interface Asked {
  /** Null: any. */
  status: Status | null;
  operation: string | null;
  limit: number;
  /** The id that the page begins after. */
  before: string | null;
}

/** Whether a key may read an artwork: one rule for it alone and for lists, which ask the database by `readable`. */
export function mayRead(key: ApiKey, artwork: Artwork, now: Date): boolean {
  return (
    // Answers are kept for a minute under ids of their own, for nobody to read.
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

export function listArtworks(db: Database, key: ApiKey, asked: Asked, now: Date): Promise<Artwork[]> {
  const { status, operation, limit, before } = asked;
  const where = {
    ...readable(key, now),
    status: status ?? { $ne: 'ABANDONED' as const },
    ...(operation !== null && { operation }),
    id: { $gt: 'art_', ...(before !== null && { $lt: before }) },
  };
  return db.em().find(Artwork, where, { orderBy: { id: 'desc' }, limit });
}

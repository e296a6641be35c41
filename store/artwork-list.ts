/** Finds out which artworks a key may use, and lists those that it may read, newest first. */
import { type Status, statuses } from '../schemas/artwork.ts';
import { mayUse, mayUseOthers, type Use } from '../schemas/object-access.ts';
import type { Database } from './database.ts';
import { type ApiKey, Artwork } from './entities.ts';
import { arrayLiteral, isNewest } from './newest-artworks.ts';

export interface ListFilter {
  /** Null: any status. */
  status: Status | null;
  /**
   * Operations in the key's domains. For any other operation, the query would read all of its artworks, because none has
   * a readable domain.
   */
  operations: readonly string[];
  limit: number;
  /** The last id of the previous page. */
  before: string | null;
}

/** Returns whether a key may use an artwork. For `read`, `listArtworks` expresses the same rule as a query. */
export function mayUseArtwork(key: ApiKey, artwork: Artwork, use: Use, now: Date): boolean {
  return (
    // The row of a synchronous request has an id with another prefix, and no client may read it.
    artwork.id.startsWith('art_') &&
    artwork.status !== 'ABANDONED' &&
    artwork.expiresAt > now &&
    mayUse(key, artwork, 'artwork', use)
  );
}

/** Returns artworks, newest first. */
export function listArtworks(db: Database, key: ApiKey, filter: ListFilter, now: Date): Promise<Artwork[]> {
  const { status, ...rest } = filter;
  const isReadable = isNewest({
    ...rest,
    owner: mayUseOthers(key.scope, 'artwork', 'read')
      ? { column: 'org_id', id: key.org }
      : { column: 'key_id', id: key.id },
    environments: [key.environment],
    statuses: status === null ? statuses : [status],
    condition: { sql: 'domain = any (?::text[]) and expires_at > ?', parameters: [arrayLiteral(key.domains), now] },
  });
  return db.em().find(Artwork, { [isReadable]: [] }, { orderBy: { id: 'desc' } });
}

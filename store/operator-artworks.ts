/** Artworks for the operator's command: of all organizations, without the contents of requests. */
import { environments } from '../schemas/access.ts';
import { type Status, statuses } from '../schemas/artwork.ts';
import type { Database } from './database.ts';
import { Artwork, CallResult, FailedAttempt, Job } from './entities.ts';
import { isNewest } from './newest-artworks.ts';

export interface ArtworkFilter {
  org?: string;
  status?: Status;
  operation?: string;
}

/** Returns artworks, newest first. @param operations the names of all operations */
export function listAllArtworks(
  db: Database,
  { org, status, operation }: ArtworkFilter,
  operations: readonly string[],
  limit: number,
): Promise<Artwork[]> {
  const orderBy = { id: 'desc' } as const;
  if (org !== undefined) {
    const isWanted = isNewest({
      owner: { column: 'org_id', id: org },
      environments,
      statuses: status === undefined ? statuses : [status],
      operations: operation === undefined ? operations : [operation],
      before: null,
      limit,
    });
    return db.em().find(Artwork, { [isWanted]: [] }, { orderBy });
  }
  const where = {
    // Leaves out synchronous requests, which are purged minutes after their end.
    id: { $like: 'art\\_%' },
    status: status ?? { $ne: 'ABANDONED' as const },
    ...(operation !== undefined && { operation }),
    // An index has the unfinished artworks, which are few.
    ...((status === 'STARTING' || status === 'PROCESSING') && { finishedAt: null }),
  };
  return db.em().find(Artwork, where, { orderBy, limit });
}

/** Returns the results, failed attempts and jobs of an artwork's calls. */
export async function findCallHistory(db: Database, artwork: string) {
  const em = db.em();
  const [results, failedAttempts, jobs] = await Promise.all([
    em.find(CallResult, { artwork }, { orderBy: { finishedAt: 'asc' } }),
    em.find(FailedAttempt, { artwork }, { orderBy: { id: 'asc' } }),
    em.find(Job, { artwork }),
  ]);
  return { results, failedAttempts, jobs };
}

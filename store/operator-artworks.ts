/** Artworks for the operator's command: of all organizations, without the contents of requests. */
import type { Status } from '../schemas/artwork.ts';
import type { Database } from './database.ts';
import { Artwork, CallResult, FailedAttempt, Job } from './entities.ts';

export interface ArtworkFilter {
  org?: string;
  status?: Status;
  operation?: string;
}

/** Returns artworks, newest first. */
export function listAllArtworks(
  db: Database,
  { org, status, operation }: ArtworkFilter,
  limit: number,
): Promise<Artwork[]> {
  const where = {
    // Leaves out synchronous requests, which are purged minutes after their end.
    id: { $like: 'art\\_%' },
    status: status ?? { $ne: 'ABANDONED' as const },
    ...(org !== undefined && { org }),
    ...(operation !== undefined && { operation }),
  };
  return db.em().find(Artwork, where, { orderBy: { id: 'desc' }, limit });
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

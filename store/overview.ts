/** Artworks as their operator looks at them: of all organizations, without what clients have said. */
import type { Status } from '../schemas/artwork.ts';
import type { Database } from './database.ts';
import { Artwork, CallResult, FailedTry, Job } from './entities.ts';

export interface Wanted {
  org?: string;
  status?: Status;
  operation?: string;
}

/** Newest first. */
export function listArtworksOf(db: Database, { org, status, operation }: Wanted, limit: number): Promise<Artwork[]> {
  const where = {
    // Answers are kept for a minute, and are of interest to nobody.
    id: { $like: 'art\\_%' },
    status: status ?? { $ne: 'ABANDONED' as const },
    ...(org !== undefined && { org }),
    ...(operation !== undefined && { operation }),
  };
  return db.em().find(Artwork, where, { orderBy: { id: 'desc' }, limit });
}

/** What its calls have come to. */
export async function findWork(db: Database, artwork: string) {
  const em = db.em();
  const [results, tries, jobs] = await Promise.all([
    em.find(CallResult, { artwork }, { orderBy: { finishedAt: 'asc' } }),
    em.find(FailedTry, { artwork }, { orderBy: { id: 'asc' } }),
    em.find(Job, { artwork }),
  ]);
  return { results, tries, jobs };
}

/** Goes through everything that a workflow purges later: artworks, synchronous requests and uploads. */
import { type Candidate, findUndelivered, findUnfinished } from './census.ts';
import type { Database } from './database.ts';
import { Artwork, UploadedFile } from './entities.ts';

/** Rows of a page. Callers work on all rows of a page at once. */
const limit = 20;

/** The columns from which a workflow can start again. */
const columns = ['id', 'org', 'key', 'operation', 'plan', 'status', 'finishedAt', 'expiresAt'] as const;
export type RetainedArtwork = Pick<Artwork, (typeof columns)[number]>;

/** Returns an artwork, a synchronous request, a claim or a tombstone. */
export function findRetained(db: Database, id: string): Promise<RetainedArtwork | null> {
  return db.em().findOne(Artwork, { id }, { fields: [...columns] });
}

/** Returns all artworks and synchronous requests in pages, oldest first; also claims and tombstones. */
export async function* pagesOfArtworks(db: Database): AsyncGenerator<RetainedArtwork[]> {
  yield* pages<RetainedArtwork>((after) =>
    db.em().find(Artwork, { id: { $gt: after?.id ?? '' } }, { fields: [...columns], orderBy: { id: 'asc' }, limit }),
  );
}

/**
 * Returns the artworks for which clients wait in pages, oldest first: the unfinished ones, then those with an undelivered
 * event. An artwork that ends meanwhile may be in both.
 */
export async function* pagesOfUrgent(db: Database): AsyncGenerator<RetainedArtwork[]> {
  for (const find of [findUnfinished, findUndelivered]) {
    const candidates = pages<Candidate>((after) => find(db, { before: null, after, limit }));
    for await (const page of candidates)
      yield await findAll(
        db,
        page.map(({ id }) => id),
      );
  }
}

/** Returns the artworks with these ids in pages; those that are deleted meanwhile are missing. */
export async function* pagesOfRetained(db: Database, ids: readonly string[]): AsyncGenerator<RetainedArtwork[]> {
  for (let from = 0; from < ids.length; from += limit) yield await findAll(db, ids.slice(from, from + limit));
}

const findAll = (db: Database, ids: readonly string[]): Promise<RetainedArtwork[]> =>
  db.em().find(Artwork, { id: { $in: [...ids] } }, { fields: [...columns] });

/** Returns all uploads in pages, oldest first. */
export async function* pagesOfUploads(db: Database): AsyncGenerator<UploadedFile[]> {
  yield* pages<UploadedFile>((after) =>
    db.em().find(UploadedFile, { id: { $gt: after?.id ?? '' } }, { orderBy: { id: 'asc' }, limit }),
  );
}

async function* pages<T>(read: (after: T | null) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let page = await read(null); page.length > 0; page = await read(page.at(-1) ?? null)) yield page;
}

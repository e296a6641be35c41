/** Goes through the owners of files in a folder, one subfolder each, and finds those that the database knows. */
import { opendir } from 'node:fs/promises';
import type { Database } from './database.ts';
import { Artwork, UploadedFile } from './entities.ts';

/** Owners whose rows are read at once. */
const batchSize = 200;
/** Owners on which `work` runs at once. */
const concurrency = 8;

/**
 * Runs `work` for each owner that has a row. After the first failure no further work begins.
 * @returns the number of owners without a row: purged, or never accepted
 * @throws the first failure, once no work runs
 */
export async function forEachOwner(
  db: Database,
  folder: string,
  work: (owner: string) => Promise<void>,
): Promise<number> {
  let withoutRow = 0;
  for await (const owners of batches(folder)) {
    const known = await findOwners(db, owners);
    withoutRow += owners.length - known.length;
    const worker = async () => {
      for (let owner = known.pop(); owner !== undefined; owner = known.pop()) await work(owner);
    };
    const workers = Array.from({ length: concurrency }, () =>
      worker().catch((error: unknown) => {
        // Ends the other workers, too.
        known.length = 0;
        throw error;
      }),
    );
    await Promise.allSettled(workers);
    await Promise.all(workers);
  }
  return withoutRow;
}

async function* batches(folder: string): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (entry.isDirectory()) batch.push(entry.name);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Returns the ids that belong to an artwork or an upload. The files of a tombstone are being deleted. */
export async function findOwners(db: Database, ids: string[]): Promise<string[]> {
  const wanted = { id: { $in: ids } };
  const [artworks, uploads] = await Promise.all([
    db.em().find(Artwork, { ...wanted, status: { $ne: 'ABANDONED' } }, { fields: ['id'] }),
    db.em().find(UploadedFile, wanted, { fields: ['id'] }),
  ]);
  return [...artworks, ...uploads].map(({ id }) => id);
}

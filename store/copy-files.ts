/** Copies the files of a folder to another store: for a service that moves from a folder to object storage. */
import { createReadStream } from 'node:fs';
import { opendir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.ts';
import { Artwork, UploadedFile } from './entities.ts';
import type { Files } from './files.ts';
import { FilesUnavailable } from './files/unavailable.ts';

export interface CopyCounts {
  copied: number;
  /** Bytes of the copied files. */
  bytes: number;
  /** Files that the store already had, with the same size. */
  alreadyThere: number;
  /** Files removed from the folder, all of which the store has. */
  deleted: number;
  /** Folders without an artwork or an upload in the database: purged meanwhile, or never accepted. Not copied. */
  withoutRow: number;
}

export interface Copying {
  db: Database;
  /** The source. */
  folder: string;
  /** The target. */
  files: Files;
  /** Whether to remove each file from the folder once the store has it. */
  deletes: boolean;
  /** Called after each copied file. */
  onCopy(counts: CopyCounts): void;
}

/** Owners whose rows are read at once. */
const batchSize = 200;
/** Owners whose files are copied at once. */
const concurrency = 8;
/** Attempts for each file, with pauses in milliseconds between them. */
const attempts = 4;
const pause = 1000;

/** A draft that the folder's store has not renamed. */
const draft = /\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Copies every file once. It can be interrupted and repeated, also while a service uses the folder.
 * @throws FilesUnavailable when the store stays unavailable; Error when a copy has another size than its source
 */
export async function copyFiles(copying: Copying): Promise<CopyCounts> {
  const counts = { copied: 0, bytes: 0, alreadyThere: 0, deleted: 0, withoutRow: 0 };
  for await (const owners of batches(copying.folder)) {
    const known = await findOwners(copying.db, owners);
    counts.withoutRow += owners.length - known.length;
    const left = [...known];
    const worker = async () => {
      for (let owner = left.pop(); owner !== undefined; owner = left.pop()) await copyOwner(copying, owner, counts);
    };
    const workers = Array.from({ length: concurrency }, () =>
      worker().catch((error: unknown) => {
        // Ends the other workers, too.
        left.length = 0;
        throw error;
      }),
    );
    // No copy may continue after the first failure is reported.
    await Promise.allSettled(workers);
    await Promise.all(workers);
  }
  return counts;
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

async function findOwners(db: Database, ids: string[]): Promise<string[]> {
  const wanted = { id: { $in: ids } };
  const [artworks, uploads] = await Promise.all([
    db.em().find(Artwork, wanted, { fields: ['id'] }),
    db.em().find(UploadedFile, wanted, { fields: ['id'] }),
  ]);
  return [...artworks, ...uploads].map(({ id }) => id);
}

async function copyOwner(copying: Copying, owner: string, counts: CopyCounts): Promise<void> {
  const { folder, files, deletes } = copying;
  const own = join(folder, owner);
  const names = (await orNull(readdir(own))) ?? [];
  for (const name of names) {
    const size = draft.test(name) ? undefined : (await orNull(stat(join(own, name))))?.size;
    if (size === undefined) continue;
    await repeated(() => copyFile(copying, { owner, name, size }, counts));
    if (!deletes) continue;
    await rm(join(own, name), { force: true });
    counts.deleted++;
  }
  // A purge may have removed the folder while its files were copied.
  if ((await orNull(stat(own))) === null) await files.remove(owner);
  else if (deletes) await rmdir(own).catch(() => undefined);
}

async function copyFile(
  { folder, files, onCopy }: Copying,
  { owner, name, size }: { owner: string; name: string; size: number },
  counts: CopyCounts,
): Promise<void> {
  if ((await files.size(owner, name)) === size) {
    counts.alreadyThere++;
    return;
  }
  await files.write(owner, name, { open: () => createReadStream(join(folder, owner, name)), size });
  const stored = await files.size(owner, name);
  if (stored !== size) throw new Error(`The copy of ${owner}/${name} has ${stored} bytes instead of ${size}.`);
  counts.copied++;
  counts.bytes += size;
  onCopy(counts);
}

async function repeated(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FilesUnavailable) || attempt === attempts) throw error;
    }
    await delay(pause * attempt);
  }
}

/** Returns null for what no longer exists. */
async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Copies the files of a folder to another store: for a service that moves from a folder to object storage. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../runtime/error-code.ts';
import type { Database } from './database.ts';
import type { Files } from './files.ts';
import { listFiles } from './files/folder-files.ts';
import { orNull } from './files/or-null.ts';
import { repeated } from './files/repeated.ts';
import { SourceError } from './files/source.ts';
import { findOwners, forEachOwner } from './folder-owners.ts';

export interface CopyCounts {
  copied: number;
  /** Bytes of the copied files. */
  bytes: number;
  /** Files that the store already had, with the same size. */
  alreadyThere: number;
  /** Folders without an artwork or an upload in the database: purged meanwhile, or never accepted. Not copied. */
  withoutRow: number;
}

export interface Copying {
  db: Database;
  /** The source. */
  folder: string;
  /** The target. */
  files: Files;
  /** Called after each copied file. */
  onCopy(counts: CopyCounts): void;
}

/**
 * Copies every file that the store lacks. Can be interrupted and repeated while a service uses the folder.
 * @throws FilesUnavailable when the store stays unavailable; Error when a copy has another size than its source
 */
export async function copyFiles(copying: Copying): Promise<CopyCounts> {
  const { db, folder, files } = copying;
  const counts = { copied: 0, bytes: 0, alreadyThere: 0, withoutRow: 0 };
  const gone: string[] = [];
  counts.withoutRow = await forEachOwner(db, folder, async (owner) => {
    for await (const { name, size } of listFiles(folder, owner)) {
      await repeated(() => copyFile(copying, { owner, name, size }, counts));
    }
    if ((await orNull(stat(join(folder, owner)))) === null) gone.push(owner);
  });
  // A purge removes the files before the row. Without a purge, the copies may be the only files left.
  const kept = new Set(await findOwners(db, gone));
  for (const owner of gone) if (!kept.has(owner)) await repeated(() => files.remove(owner));
  return counts;
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
  try {
    await files.write(owner, name, { open: () => createReadStream(join(folder, owner, name)), size });
  } catch (error) {
    // The service has removed the file since it was listed.
    if (error instanceof SourceError && codeOf(error.cause) === 'ENOENT') return;
    throw error;
  }
  const stored = await files.size(owner, name);
  if (stored !== size) throw new Error(`The copy of ${owner}/${name} has ${stored} bytes instead of ${size}.`);
  counts.copied++;
  counts.bytes += size;
  onCopy(counts);
}

/** Deletes the files of a folder that another store has: the last step of a move to object storage. */
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';
import type { Files } from './files.ts';
import { listFiles } from './files/folder-files.ts';
import { repeated } from './files/repeated.ts';
import { forEachOwner } from './folder-owners.ts';

export interface DeleteCounts {
  /** Files removed from the folder, all of which the store has with the same size. */
  deleted: number;
  /** Files left in the folder, because the store lacks them: the service has deleted them there, or they were not copied. */
  notInStore: number;
  /** Folders without an artwork or an upload in the database, which are left. */
  withoutRow: number;
}

/**
 * Changes nothing in the store: a file that it lacks may be one that the service has deleted since the copy. Can be
 * interrupted and repeated.
 * @throws FilesUnavailable when the store stays unavailable
 */
export async function deleteCopied(db: Database, folder: string, files: Files): Promise<DeleteCounts> {
  const counts = { deleted: 0, notInStore: 0, withoutRow: 0 };
  counts.withoutRow = await forEachOwner(db, folder, async (owner) => {
    for await (const { name, size } of listFiles(folder, owner)) {
      if ((await repeated(() => files.size(owner, name))) === size) {
        await rm(join(folder, owner, name), { force: true });
        counts.deleted++;
      } else counts.notInStore++;
    }
    // Keeps a folder in which files are left.
    await rmdir(join(folder, owner)).catch(() => undefined);
  });
  return counts;
}

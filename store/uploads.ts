/** Uploaded files: images to which later requests refer by id. */
import type { Use } from '../schemas/object-access.ts';
import { type Author, recordChange } from './audit.ts';
import { type Database, isForeignKeyViolation } from './database.ts';
import { type ApiKey, UploadedFile } from './entities.ts';
import type { Content, Files } from './files.ts';
import { usableBy } from './usable.ts';

/** The only file in an upload's folder. */
const name = 'original';

/** The columns of a new file. The database adds its environment. */
type NewUpload = Omit<UploadedFile, 'environment'>;

/**
 * Stores the file, then the row that makes the file visible. The caller must have scheduled the purge before.
 * @returns false when the key was erased meanwhile; nothing is stored then
 */
export async function saveUpload(db: Database, files: Files, upload: NewUpload, content: Content): Promise<boolean> {
  await files.write(upload.id, name, content);
  try {
    await db.em().transactional((em) => em.insert(UploadedFile, upload));
    return true;
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    await files.remove(upload.id);
    return false;
  }
}

/** @returns null when there is no such file, it has expired, or the key may not use it */
export function findUpload(db: Database, key: ApiKey, id: string, use: Use, now: Date): Promise<UploadedFile | null> {
  return db.em().findOne(UploadedFile, { ...usableBy(key, 'file', use), id, expiresAt: { $gt: now } });
}

/** Returns the files that a key may read, newest first. @param before the last id of the previous page; null: none */
export function listUploads(
  db: Database,
  key: ApiKey,
  { limit, before }: { limit: number; before: string | null },
  now: Date,
): Promise<UploadedFile[]> {
  const where = {
    ...usableBy(key, 'file', 'read'),
    expiresAt: { $gt: now },
    ...(before !== null && { id: { $lt: before } }),
  };
  return db.em().find(UploadedFile, where, { orderBy: { id: 'desc' }, limit });
}

/** @returns null when the file is purged */
export function loadUpload(files: Files, id: string): Promise<Uint8Array | null> {
  return files.load(id, name);
}

/** Deletes a file on behalf of a client. */
export async function deleteUpload(
  db: Database,
  files: Files,
  { id, org }: Pick<UploadedFile, 'id' | 'org'>,
  at: Date,
  author: Author,
): Promise<void> {
  await recordChange(db.em(), author, { org, action: 'file.deleted', target: id, changes: {}, at });
  await removeUpload(db, files, id);
}

/** Removes the file before the row, so that a repeated removal still finds the row. */
export async function removeUpload(db: Database, files: Files, id: string): Promise<void> {
  await files.remove(id);
  await db.em().nativeDelete(UploadedFile, { id });
}

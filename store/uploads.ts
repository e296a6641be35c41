/** Uploaded files: images to which later requests refer by id. */
import type { Database } from './database.ts';
import { type ApiKey, UploadedFile } from './entities.ts';
import type { Content, Files } from './files.ts';

/** The only file in an upload's folder. */
const name = 'original';

/** Stores the file, then the row that makes the file visible. The caller must have scheduled the purge before. */
export async function saveUpload(db: Database, files: Files, upload: UploadedFile, content: Content): Promise<void> {
  await files.write(upload.id, name, content);
  await db.em().transactional((em) => em.insert(UploadedFile, upload));
}

/** Finds a file. As for artworks, a generator key finds its own files, and other keys find those of their organization. */
export async function findUpload(db: Database, key: ApiKey, id: string, now: Date): Promise<UploadedFile | null> {
  const own = key.scope === 'generator' ? { key: key.id } : {};
  return db.em().findOne(UploadedFile, { id, org: key.org, expiresAt: { $gt: now }, ...own });
}

/** @returns null when the file is purged */
export function loadUpload(files: Files, id: string): Promise<Uint8Array | null> {
  return files.load(id, name);
}

/** Removes the file before the row, so that a repeated removal still finds the row. */
export async function removeUpload(db: Database, files: Files, id: string): Promise<void> {
  await files.remove(id);
  await db.em().nativeDelete(UploadedFile, { id });
}

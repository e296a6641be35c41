/** Uploaded files: images that wait for the requests that name them. */
import type { Database } from './database.ts';
import { type ApiKey, UploadedFile } from './entities.ts';
import type { Files } from './files.ts';

/** The one file in an upload's folder. */
const name = 'original';

/** Its purge must have been scheduled before: file first, then the row that makes it known. */
export async function keepUpload(db: Database, files: Files, upload: UploadedFile, bytes: Uint8Array): Promise<void> {
  await files.write(upload.id, name, bytes);
  await db.em().transactional((em) => em.insert(UploadedFile, upload));
}

/** As with artworks: a generator key finds its own, others all of their organization. */
export async function findUpload(db: Database, key: ApiKey, id: string, now: Date): Promise<UploadedFile | null> {
  const own = key.scope === 'generator' ? { key: key.id } : {};
  return db.em().findOne(UploadedFile, { id, org: key.org, expiresAt: { $gt: now }, ...own });
}

/** @returns null when it has been purged */
export function loadUpload(files: Files, id: string): Promise<Uint8Array | null> {
  return files.load(id, name);
}

/** The file first, so that a row is left to come back to while it remains. */
export async function removeUpload(db: Database, files: Files, id: string): Promise<void> {
  await files.remove(id);
  await db.em().nativeDelete(UploadedFile, { id });
}

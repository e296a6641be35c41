/** Inserts the row of an uploaded file, without its bytes, for requests that name it. */
import type { Database } from '../../store/database.ts';
import { UploadedFile } from '../../store/entities.ts';
import { newId } from '../../store/ids.ts';

/** Inserts the row and returns its id. */
export async function uploadedFile(db: Database, owner: { org: string; key: string }): Promise<string> {
  const id = newId('file');
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
  const image = { contentType: 'image/png', width: 64, height: 64, bytes: 9 } as const;
  await db.em().insert(UploadedFile, { id, ...owner, ...image, ...times });
  return id;
}

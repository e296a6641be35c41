/** Uploads files, and inserts the row of one without its bytes, for requests that name it. */
import { photo } from '../../engines/local/test/photos.ts';
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

/** Uploads a photo as a client does. */
export async function sendPhoto(baseUrl: string, apiKey: string): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(await photo('coffee'))]), 'coffee.jpg');
  const headers = { authorization: `Bearer ${apiKey}` };
  return fetch(`${baseUrl}/v2/files`, { method: 'POST', headers, body: form });
}

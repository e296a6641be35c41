/** Uploads an image of a call and returns the name by which ComfyUI's loader nodes find it. */
import { createHash } from 'node:crypto';
import { FormData } from 'undici';
import type { InputImage } from '../../contract/index.ts';
import { ComfyuiError } from './failures.ts';
import type { Http } from './http.ts';
import { objectOf } from './jobs.ts';

/** Folder below ComfyUI's `input`, which an operator may empty. */
const folder = 'atelier';

/** The name is a digest of the bytes, so repeated uploads of an image are one file on the server. */
export async function upload({ bytes, contentType }: InputImage, http: Http, signal: AbortSignal): Promise<string> {
  const name = `${createHash('sha256').update(bytes).digest('hex')}.${contentType.slice('image/'.length)}`;
  const form = new FormData();
  form.append('image', new Blob([bytes], { type: contentType }), name);
  form.append('type', 'input');
  form.append('subfolder', folder);
  const stored = objectOf(await http.post('/upload/image', form, signal));
  if (typeof stored.name !== 'string' || typeof stored.subfolder !== 'string') throw new ComfyuiError('unreadable');
  return stored.subfolder ? `${stored.subfolder}/${stored.name}` : stored.name;
}

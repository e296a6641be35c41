/** Uploads an image of a call, for the name by which ComfyUI's loaders find it. */
import { createHash } from 'node:crypto';
import { FormData } from 'undici';
import type { InputImage } from '../../../schemas/tasks.ts';
import { ComfyuiError } from './failure.ts';
import type { Http } from './http.ts';
import { objectOf } from './jobs.ts';

/** Below ComfyUI's `input`: what an operator may empty. */
const folder = 'atelier';

/** The name says the bytes, and ComfyUI keeps a file that it has already: repeated uploads are one file. */
export async function upload({ bytes, contentType }: InputImage, http: Http, signal: AbortSignal): Promise<string> {
  const name = `${createHash('sha256').update(bytes).digest('hex')}.${contentType.slice('image/'.length)}`;
  const form = new FormData();
  form.append('image', new Blob([bytes], { type: contentType }), name);
  form.append('type', 'input');
  form.append('subfolder', folder);
  const kept = objectOf(await http.post('/upload/image', form, signal));
  if (typeof kept.name !== 'string' || typeof kept.subfolder !== 'string') throw new ComfyuiError('unreadable');
  return kept.subfolder ? `${kept.subfolder}/${kept.name}` : kept.name;
}

/** Images that came inside a request: kept with its artwork under the digest that the artwork shows in their place. */
import { createHash } from 'node:crypto';
import type { Files } from './files.ts';

/** How the artwork names an image that came inside the request. */
export function sourceOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export function storeInput(files: Files, artworkId: string, source: string, bytes: Uint8Array): Promise<void> {
  return files.write(artworkId, storedInput(source.slice('sha256:'.length)), bytes);
}

/** The file's name in the artwork's folder. */
export function storedInput(sha256: string): string {
  return `input.${sha256}`;
}

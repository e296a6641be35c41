/** Images inside requests: each is stored with its artwork, which refers to it by digest. */
import { createHash } from 'node:crypto';
import type { Files } from './files.ts';

/** Returns the reference that replaces an image in the stored request. */
export function inputSource(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export function storeInput(files: Files, artworkId: string, source: string, bytes: Uint8Array): Promise<void> {
  return files.write(artworkId, inputFileName(source.slice('sha256:'.length)), bytes);
}

/** Returns the name of the file in the artwork's folder. */
export function inputFileName(sha256: string): string {
  return `input.${sha256}`;
}

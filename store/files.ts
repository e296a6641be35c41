/** Image files: a folder per artwork, so that a purge removes all of them at once. */
import { Disk, errors } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Files {
  /** The file is there as a whole or not at all. */
  write(artworkId: string, name: string, bytes: Uint8Array): Promise<void>;
  /** @returns null when there is no such file */
  read(artworkId: string, name: string): Promise<Readable | null>;
  /** Removes one file; nothing there is fine. */
  delete(artworkId: string, name: string): Promise<void>;
  /** Removes everything of an artwork; nothing there is fine. */
  remove(artworkId: string): Promise<void>;
}

/** @param folder an absolute path; made when first written to */
export function openFiles(folder: string): Files {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  const key = (artworkId: string, name: string) => `${artworkId}/${name}`;
  return {
    async write(artworkId, name, bytes) {
      // One that a crash leaves behind goes with its folder.
      const draft = `${name}.${randomUUID()}`;
      await disk.put(key(artworkId, draft), bytes);
      await rename(join(folder, key(artworkId, draft)), join(folder, key(artworkId, name)));
    },
    delete: (artworkId, name) => disk.delete(key(artworkId, name)),
    async read(artworkId, name) {
      if (!(await disk.exists(key(artworkId, name)))) return null;
      return disk.getStream(key(artworkId, name));
    },
    async remove(artworkId) {
      try {
        await disk.deleteAll(`${artworkId}/`);
      } catch (error) {
        if (error instanceof errors.E_CANNOT_DELETE_DIRECTORY && isMissing(error.cause)) return;
        throw error;
      }
    },
  };
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/** Image files, in one folder per artwork or uploaded file, which a purge removes as a whole. */
import { Disk, errors } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Files {
  /** Writes a file atomically. @param owner the id of an artwork or an uploaded file */
  write(owner: string, name: string, bytes: Uint8Array): Promise<void>;
  /** Opens a file as a stream. @returns null when there is no such file */
  read(owner: string, name: string): Promise<Readable | null>;
  /** Reads a file into memory. @returns null when there is no such file */
  load(owner: string, name: string): Promise<Uint8Array | null>;
  /** Removes one file, if it exists. */
  delete(owner: string, name: string): Promise<void>;
  /** Removes all files of an owner, if there are any. */
  remove(owner: string): Promise<void>;
}

/** @param folder an absolute path; the first write creates it */
export function openFiles(folder: string): Files {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  const key = (owner: string, name: string) => `${owner}/${name}`;
  return {
    async write(owner, name, bytes) {
      // A draft that a crash leaves behind is removed with its folder.
      const draft = `${name}.${randomUUID()}`;
      await disk.put(key(owner, draft), bytes);
      await rename(join(folder, key(owner, draft)), join(folder, key(owner, name)));
    },
    delete: (owner, name) => disk.delete(key(owner, name)),
    async read(owner, name) {
      if (!(await disk.exists(key(owner, name)))) return null;
      return disk.getStream(key(owner, name));
    },
    async load(owner, name) {
      try {
        return await disk.getBytes(key(owner, name));
      } catch (error) {
        if (error instanceof errors.E_CANNOT_READ_FILE && isMissing(error.cause)) return null;
        throw error;
      }
    },
    async remove(owner) {
      try {
        await disk.deleteAll(`${owner}/`);
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

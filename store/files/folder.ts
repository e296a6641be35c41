/** Files in a folder of this machine: one subfolder for each owner. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../files.ts';
import { FilesUnavailable } from './unavailable.ts';

const safeName = /^(?!\.)[\w.-]+$/;

/** Opens a folder. @param folder an absolute path; the first write creates it */
export function openFolder(folder: string): Files {
  const pathOf = (...names: string[]) => {
    if (!names.every((name) => safeName.test(name))) throw new Error('Not the name of a file');
    return join(folder, ...names);
  };
  return {
    async write(owner, name, content) {
      const file = pathOf(owner, name);
      // A draft that a crash leaves behind is removed with its folder.
      const draft = `${file}.${randomUUID()}`;
      await reported('write', async () => {
        await mkdir(pathOf(owner), { recursive: true });
        await writeFile(draft, content instanceof Uint8Array ? content : content.open());
        await rename(draft, file);
      });
    },
    async read(owner, name, range) {
      const file = pathOf(owner, name);
      const handle = await reported('read', () => orNull(open(file)));
      return handle && handle.createReadStream(range ?? {});
    },
    async load(owner, name) {
      const file = pathOf(owner, name);
      return reported('read', () => orNull(readFile(file)));
    },
    async size(owner, name) {
      const file = pathOf(owner, name);
      return (await reported('read', () => orNull(stat(file))))?.size ?? null;
    },
    async delete(owner, name) {
      const file = pathOf(owner, name);
      await reported('delete', () => rm(file, { force: true }));
    },
    async remove(owner) {
      const path = pathOf(owner);
      // Retried, because another process may be writing a file into the folder.
      await reported('remove', () => rm(path, { recursive: true, force: true, maxRetries: 3 }));
    },
    presign: () => Promise.resolve(null),
    origin: null,
  };
}

/** @throws FilesUnavailable for errors of the file system, such as a full disk */
async function reported<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (typeof code !== 'string') throw error;
    throw new FilesUnavailable(`The image folder does not work: ${step} failed (${code})`);
  }
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

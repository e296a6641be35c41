/** Files in a folder of this machine: one subfolder for each owner. */
import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isTimeout, within } from '../../runtime/deadline.ts';
import { codeOf } from '../../runtime/error-code.ts';
import type { Files } from '../files.ts';
import { checkName } from './name.ts';
import { orNull } from './or-null.ts';
import { readSource, SourceError } from './source.ts';
import { FilesUnavailable } from './unavailable.ts';

/** Bytes that the disk must have left for the results of calls that cost money: a few of the largest images. */
const leastSpace = 256 * 1024 * 1024;

/** Opens a folder. @param folder an absolute path; the first write creates it */
export function openFolder(folder: string): Files {
  const pathOf = (...names: string[]) => join(folder, ...names.map(checkName));
  return {
    async write(owner, name, content) {
      const file = pathOf(owner, name);
      // A draft that a crash leaves behind is removed with its folder.
      const draft = `${file}.${randomUUID()}`;
      await reported('write', async (signal) => {
        await mkdir(pathOf(owner), { recursive: true });
        try {
          await writeFile(draft, content instanceof Uint8Array ? content : readSource(content));
          // A write that hung until its request was rejected must not leave a file.
          signal.throwIfAborted();
          await rename(draft, file);
        } catch (error) {
          // Otherwise a full disk would stay full.
          await rm(draft, { force: true }).catch(() => undefined);
          throw error;
        }
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
    async checkSpace() {
      await reported('check', async () => {
        await mkdir(folder, { recursive: true });
        await access(folder, constants.W_OK);
        const { bavail, bsize } = await statfs(folder);
        if (bavail * bsize < leastSpace) throw Object.assign(new Error('The disk is nearly full'), { code: 'ENOSPC' });
      });
    },
    presign: () => Promise.resolve(null),
    origin: null,
  };
}

/**
 * Runs a step until the deadline of the request. A network file system can hang.
 * @throws FilesUnavailable for errors of the file system, such as a full disk, and at the deadline; SourceError
 */
async function reported<T>(step: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await within(Infinity, work);
  } catch (error) {
    const code = isTimeout(error) ? 'ETIMEDOUT' : codeOf(error);
    if (error instanceof SourceError || typeof code !== 'string') throw error;
    throw new FilesUnavailable(`The image folder does not work: ${step} failed (${code})`, error);
  }
}

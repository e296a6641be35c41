/** The temporary folders in which uploads are received. */
import { mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../runtime/error-code.ts';
import type { Logger } from '../../runtime/log.ts';
import { StartupError } from '../../runtime/startup-error.ts';
import { Problem } from '../../services/problem.ts';

const prefix = 'atelier-upload-';

/** Milliseconds after which no upload is still being received. */
const longestUpload = 60 * 60_000;

/**
 * Returns the path of a new, empty folder that only this user can read.
 * @throws Problem `unavailable` when the temporary folder is full, missing or not writable
 */
export function makeUploadFolder(): Promise<string> {
  return onTemporaryFolder('create', mkdtemp(join(tmpdir(), prefix)));
}

/**
 * Waits for a step on the temporary folder.
 * @throws Problem `unavailable`; its cause names the folder, the step and the error for the log
 */
export async function onTemporaryFolder<T>(step: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const cause = new Error(
      `The temporary folder ${tmpdir()} (TMPDIR) does not work: ${step} failed (${reasonOf(error)})`,
    );
    throw new Problem('unavailable', { cause });
  }
}

/**
 * Prepares the temporary folder when the API starts: creates it if it is missing, removes the upload folders that
 * killed processes of this user have left, and checks that it is writable.
 * @param folder a path
 * @param now epoch milliseconds
 * @throws StartupError that names TMPDIR when the folder cannot be created or written
 */
export async function prepareTemporaryFolder(folder: string, now: number, log: Logger): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    // Before the check, because it frees space.
    await removeOldUploadFolders(folder, now).catch((err: unknown) =>
      log.warn({ err, folder }, 'Upload folders of earlier processes were not removed'),
    );
    await rmdir(await mkdtemp(join(folder, prefix)));
  } catch (cause) {
    const remedy = 'Set TMPDIR to a folder that this user can write, or free space in it.';
    throw new StartupError(`TMPDIR: ${folder} cannot be written (${reasonOf(cause)}). ${remedy}`, { cause });
  }
}

async function removeOldUploadFolders(temporary: string, now: number): Promise<void> {
  const names = (await readdir(temporary)).filter((name) => name.startsWith(prefix));
  await Promise.all(
    names.map(async (name) => {
      const folder = join(temporary, name);
      const found = await stat(folder).catch(() => null);
      const isOld = found !== null && found.uid === process.getuid?.() && now - found.mtimeMs > longestUpload;
      if (isOld) await rm(folder, { recursive: true, force: true });
    }),
  );
}

const reasonOf = (error: unknown): string => String(codeOf(error) ?? error);

/** The temporary folders in which uploads are received. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'atelier-upload-';

/** Milliseconds after which no upload is still being received. */
const longestUpload = 60 * 60_000;

/** Returns the path of a new, empty folder that only this user can read. */
export function makeUploadFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), prefix));
}

/** Removes the folders that killed processes of this user have left. @param now epoch milliseconds */
export async function removeOldUploadFolders(now: number): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  await Promise.all(
    names.map(async (name) => {
      const folder = join(tmpdir(), name);
      const found = await stat(folder).catch(() => null);
      const isOld = found !== null && found.uid === process.getuid?.() && now - found.mtimeMs > longestUpload;
      if (isOld) await rm(folder, { recursive: true, force: true });
    }),
  );
}

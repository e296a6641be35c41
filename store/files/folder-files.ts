/** The files of one owner in a folder, for commands that compare the folder with another store. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orNull } from './or-null.ts';

/** A draft that the folder's store has not renamed. */
const draft = /\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Yields names with sizes in bytes. Leaves out drafts, and what another process removes meanwhile. */
export async function* listFiles(folder: string, owner: string): AsyncGenerator<{ name: string; size: number }> {
  const own = join(folder, owner);
  for (const name of (await orNull(readdir(own))) ?? []) {
    const found = draft.test(name) ? null : await orNull(stat(join(own, name)));
    if (found !== null) yield { name, size: found.size };
  }
}

/** Takes away the permissions of other users to read a data folder that an earlier release has filled. */
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Other users may enter but not list the data folder: PostgreSQL runs as another user when we are root. */
export const enterable = 0o711;

/** Folders in it whose files were readable. The others are closed themselves, and may contain very many files. */
const formerlyReadable = ['temporal', 'logs'];

/** Protects the files and folders that belong to this user. Others, such as those of PostgreSQL, stay as they are. */
export function makePrivate(folder: string): void {
  const inner = formerlyReadable.map((name) => join(folder, name)).filter((path) => existsSync(path));
  restrict(folder, enterable);
  for (const path of [folder, ...inner].flatMap(entriesOf)) restrict(path, 0o700);
}

const entriesOf = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));

/** @param most the permissions that may remain */
function restrict(path: string, most: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  const mode = found.mode & 0o777;
  const isOwn = found.uid === process.getuid?.();
  if (isOwn && !found.isSymbolicLink() && (mode & ~most) !== 0) chmodSync(path, mode & most);
}

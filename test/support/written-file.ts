/** Files that a test needs, such as certificates. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file that only this user can read. @returns its path */
export function writtenFile(folder: string, name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

/** Keeps converted networks as files, so that each network is converted once. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { threadId } from 'node:worker_threads';

const cacheFolder = new URL('../../../node_modules/.cache/atelier-local/', import.meta.url);

/** Returns the file of this name, or makes and keeps it. If the folder cannot be written, makes it every time. */
export async function cached(
  name: string,
  make: () => Promise<Uint8Array>,
  folder: URL = cacheFolder,
): Promise<Uint8Array> {
  const file = new URL(name, folder);
  const kept = await readFile(file).catch(() => null);
  if (kept) return kept;
  const made = await make();
  await keep(file, made).catch(() => undefined);
  return made;
}

/** Other threads and processes see the whole file or none. */
async function keep(file: URL, bytes: Uint8Array): Promise<void> {
  await mkdir(new URL('.', file), { recursive: true });
  const unfinished = new URL(`${file.href}.${process.pid}-${threadId}`);
  await writeFile(unfinished, bytes);
  await rename(unfinished, file);
}

/** A failure of the image folder. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from './stack.ts';

/** Makes the image folder unusable, also for root: a file takes its place. Returns a function that restores it. */
export async function breakImages({ dataFolder }: Pick<Stack, 'dataFolder'>): Promise<() => Promise<void>> {
  const folder = join(dataFolder, 'images');
  const aside = `${folder}-aside`;
  await mkdir(folder, { recursive: true });
  await rename(folder, aside);
  await writeFile(folder, '');
  return async () => {
    await rm(folder);
    await rename(aside, folder);
  };
}

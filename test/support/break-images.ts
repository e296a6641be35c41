/** A failure of the image folder. */
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
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
    await putBack(aside, folder);
  };
}

/** A service that runs may create the folder again before this function does, and write files to it. */
async function putBack(aside: string, folder: string): Promise<void> {
  try {
    await rename(aside, folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    await cp(folder, aside, { recursive: true });
    await rm(folder, { recursive: true });
    await putBack(aside, folder);
  }
}

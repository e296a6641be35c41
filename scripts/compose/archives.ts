/** Builds the archives of all images of the compose files, or finds those of an earlier run. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBase } from '../image/base.ts';
import { buildImages } from '../image/build.ts';
import { buildStandIns } from './stand-ins.ts';

/** @param folder where they are, or will be @param emptyFolder makes a folder for a step of the build */
export async function archives(
  folder: string,
  emptyFolder: (name: string) => Promise<string>,
  say: (text: string) => void,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const found = (await readdir(folder)).filter((name) => name.endsWith('.tar')).map((name) => join(folder, name));
  if (found.length > 0) return found;
  await buildImages(await emptyFolder('image'), await makeBase(await emptyFolder('base')), ['full']);
  say('the image of the service is built');
  const built = await buildStandIns(await emptyFolder('stand-ins'), folder, say);
  say('the stand-ins are built');
  return built;
}

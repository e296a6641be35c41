/** Runs Prometheus' own tool, from Debian's package. */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/image/run.ts';

/** Returns what `promtool` prints. @throws Error with its output when it fails */
export async function promtool(...args: string[]): Promise<string> {
  return run(join(await unpackedPackage('prometheus'), 'usr/bin/promtool'), args);
}

/** Returns a folder with the files of a Debian package. It is not installed, because it would start a server. */
async function unpackedPackage(name: string): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'atelier');
  const folder = join(cache, `debian-${name}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const aside = await mkdtemp(`${folder}-`);
  try {
    const download = () => run('apt-get', ['download', '--quiet', name], aside);
    await download().catch(() => run('apt-get', ['update', '--quiet']).then(download));
    const [file = ''] = (await readdir(aside)).filter((found) => found.endsWith('.deb'));
    await run('dpkg-deb', ['--extract', join(aside, file), join(aside, 'files')]);
    await rename(join(aside, 'files'), folder);
    return folder;
  } finally {
    await rm(aside, { recursive: true });
  }
}

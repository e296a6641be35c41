/** Installs a package of PyPI into the user's cache, once for all test runs. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the folder of the package, for `PYTHONPATH`. Its programs are in `bin`. */
export async function pipPackage(name: string, version: string): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'atelier', `${name}-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  // Installed in another folder and moved when complete, so that concurrent installations do not conflict.
  const aside = await mkdtemp(`${folder}-`);
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', aside, `${name}==${version}`]);
    await rename(aside, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

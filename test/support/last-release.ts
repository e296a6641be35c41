/** The last release, as its users run it: its source from git, with its own packages. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cachedProgram } from '../../scripts/local/programs.ts';

const run = promisify(execFile);

/** Changes with each release (CONTRIBUTING.md, "Cut a release"). */
const lastRelease = { version: '2.6.2', commit: '4d2144a13deb8fed99381d699c6f43e143a5354f' };

const project = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the root folder of the last release, in the user's cache.
 * @throws Error when neither this clone nor its origin has the commit
 */
export async function installLastRelease(): Promise<string> {
  const { version, commit } = lastRelease;
  const folder = dirname(cachedProgram('release', `${version}-${commit.slice(0, 8)}`, process.env));
  if (existsSync(folder)) return folder;
  await ensureCommit();
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.installing-`);
  try {
    const archive = join(draft, 'source.tar');
    await run('git', ['archive', '--output', archive, commit], { cwd: project });
    await run('tar', ['xf', archive, '-C', draft]);
    // The release's own command installs its packages.
    await run(process.execPath, ['scripts/run.mjs', 'node', '--version'], { cwd: draft, env: withoutJest() });
    await rm(archive);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

async function ensureCommit(): Promise<void> {
  const { version, commit } = lastRelease;
  const git = (...args: string[]) => run('git', args, { cwd: project });
  try {
    await git('cat-file', '-e', commit);
  } catch {
    // A shallow clone.
    await git('fetch', '--quiet', '--depth=1', 'origin', commit).catch((cause: unknown) => {
      throw new Error(`Commit ${commit} of release ${version} is missing. Run: git fetch --unshallow`, { cause });
    });
  }
}

function withoutJest(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  return env;
}

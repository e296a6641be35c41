/** Finds a program of this machine, or installs its Debian package when we run as root. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { lockWhenFree } from '../../runtime/lock.mjs';

interface DebianProgram {
  /** Names under which the program may exist; the first match counts. */
  names: readonly string[];
  /** Returns further folders in which it may be. */
  folders?: () => readonly string[];
  /** The package that contains it. */
  debianPackage: string;
  /** Says what needs the program and how to install it. */
  advice: string;
}

/** Not on the PATH of every user. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin'];

/** Returns the path of the program. @throws Error with the advice */
export async function debianProgram(program: DebianProgram): Promise<string> {
  return find(program) ?? (await install(program));
}

function find({ names, folders: more = () => [] }: DebianProgram): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...systemFolders, ...more()];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null;
}

async function install(program: DebianProgram): Promise<string> {
  const { debianPackage, advice } = program;
  if (process.getuid?.() !== 0) throw new Error(`${advice} Root installs it automatically.`);
  // Other processes may install at the same time, and apt-get allows one at a time.
  const release = await lockWhenFree(join(tmpdir(), 'atelier-apt-get.lock'), () => undefined);
  try {
    const before = find(program);
    if (before) return before;
    console.log(`Installing ${debianPackage} with apt-get …`);
    aptGet(advice, 'update');
    aptGet(advice, 'install', '--yes', '--no-install-recommends', debianPackage);
    const now = find(program);
    if (now) return now;
    throw new Error(`${advice} apt-get has installed it, but it is not on PATH.`);
  } finally {
    release();
  }
}

function aptGet(advice: string, ...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${advice} apt-get ${args[0]} failed: ${error?.message ?? stderr.trim()}`);
}

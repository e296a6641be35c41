/** Finds all programs of a PostgreSQL server in Debian's packages, or installs them when we run as root. */
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { debianProgram } from './debian-package.ts';
import type { Binaries } from './postgres-binaries.ts';

export interface DebianPostgres extends Binaries {
  /** The folder of all programs, such as pg_dump and pg_basebackup. */
  folder: string;
  /** The major version. */
  version: number;
}

const root = '/usr/lib/postgresql';
/** Creates and starts a server of its own when a package is installed, unless its configuration says otherwise. */
const wrapper = { path: '/usr/bin/pg_createcluster', configuration: '/etc/postgresql-common/createcluster.conf' };
const advice = 'The programs of PostgreSQL are missing: install them ("apt-get install postgresql").';

/** Returns the programs of the newest version. @throws Error that says what to install */
export async function debianPostgres(): Promise<DebianPostgres> {
  if (versions().length === 0) await preventServer();
  await debianProgram({
    names: ['postgres'],
    folders: () => versions().map(folderOf),
    debianPackage: 'postgresql',
    advice,
  });
  const [version] = versions();
  if (version === undefined) throw new Error(advice);
  const folder = folderOf(version);
  // Debian's version 15 has no provider `builtin`.
  const locale = ['--locale=C.UTF-8'];
  return { version, folder, locale, postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb') };
}

const folderOf = (version: number) => join(root, String(version), 'bin');

/** Returns the installed versions of the server, newest first. */
function versions(): number[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .map(Number)
    .filter((version) => existsSync(join(folderOf(version), 'postgres')))
    .sort((a, b) => b - a);
}

/** Keeps the package of the server from starting one. */
async function preventServer(): Promise<void> {
  if (existsSync(wrapper.path)) return;
  await debianProgram({ names: ['pg_createcluster'], debianPackage: 'postgresql-common', advice });
  appendFileSync(wrapper.configuration, '\ncreate_main_cluster = false\n');
}

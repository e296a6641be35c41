/** Creates the folder of a PostgreSQL cluster, with a random password, unless it exists. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresAccount } from './postgres-account.ts';
import type { Binaries } from './postgres-binaries.ts';

const access = ['--username=postgres', '--auth=scram-sha-256'];

export interface Cluster {
  folder: string;
  password: string;
}

export async function openCluster(dataDir: string, binaries: Binaries, account: PostgresAccount): Promise<Cluster> {
  const folder = join(dataDir, 'cluster');
  const passwordFile = join(dataDir, 'password');
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeCluster(dataDir, folder, passwordFile, binaries, account);
  return { folder, password: readFileSync(passwordFile, 'utf8').trim() };
}

async function makeCluster(
  dataDir: string,
  folder: string,
  passwordFile: string,
  { initdb, locale }: Binaries,
  account: PostgresAccount,
) {
  // Created under another name and renamed when complete, so that an interrupted start leaves no partial cluster.
  const making = `${folder}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  for (const path of [dataDir, making, passwordFile]) account.own(path);
  const { command, args, ...ids } = account.as(initdb, [
    '-D',
    making,
    '--encoding=UTF8',
    ...locale,
    ...access,
    `--pwfile=${passwordFile}`,
  ]);
  await promisify(execFile)(command, args, { ...ids, cwd: '/', env: { ...process.env, LC_ALL: 'C' } });
  renameSync(making, folder);
}

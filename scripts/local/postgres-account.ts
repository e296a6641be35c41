/** The account that PostgreSQL runs as: ours, or a separate one when we are root, because PostgreSQL refuses to run as root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { tiedBy } from './tied.ts';

export interface PostgresAccount {
  /** Makes the account the owner of a file or folder. */
  own(path: string): void;
  /** Returns the command line that runs a program as the account. The program ends when this process dies. */
  as(command: string, args: string[]): { command: string; args: string[]; uid?: number; gid?: number };
}

export function postgresAccount(paths: string[]): PostgresAccount {
  const tie = tiedBy('SIGINT');
  if (process.getuid?.() !== 0) {
    return {
      own: () => undefined,
      as: (command, args) =>
        tie === null ? { command, args } : { command: 'setpriv', args: [...tie, command, ...args] },
    };
  }
  const ids = idsOf('postgres') ?? createUser() ?? idsOf('nobody');
  if (ids === undefined) throw new Error('PostgreSQL cannot run as root. Add a user named postgres.');
  const { uid, gid } = ids;
  const closed = paths.map((path) => closedFolder(path, uid)).find((folder) => folder !== undefined);
  const capability = closed === undefined ? [] : capabilityToEnter(closed);
  const options = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', ...capability, ...(tie ?? [])];
  return {
    own: (path) => chownSync(path, uid, gid),
    as: (command, args) =>
      tie === null ? { command, args, uid, gid } : { command: 'setpriv', args: [...options, command, ...args] },
  };
}

interface Ids {
  uid: number;
  gid: number;
}

function idsOf(name: string): Ids | undefined {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':');
  return entry === undefined ? undefined : { uid: Number(entry[2]), gid: Number(entry[3]) };
}

function createUser(): Ids | undefined {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  return idsOf('postgres');
}

// Another user cannot enter a clone under /root or in a folder of mktemp.
function closedFolder(path: string, uid: number): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid: owner } = statSync(folder);
    if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return folder;
    if (folder === '/') return undefined;
  }
}

/** Returns the options of setpriv with which a user can enter closed folders; see capabilities(7). */
function capabilityToEnter(folder: string): string[] {
  for (const name of ['+dac_read_search', '+dac_override']) {
    const options = ['--securebits=+no_setuid_fixup', `--inh-caps=${name}`, `--ambient-caps=${name}`];
    // PostgreSQL checks with access(2), which honours the capability only with this securebit.
    if (spawnSync('setpriv', ['--reuid', '65534', ...options, 'test', '-x', folder]).status === 0) return options;
  }
  const command = `chmod o+x ${execFileSync('realpath', [folder], { encoding: 'utf8' }).trim()}`;
  throw new Error(
    `PostgreSQL cannot run as root, and its own user cannot enter ${folder}. ` +
      `Start as another user, move the clone or ATELIER_DATA, or run: ${command}`,
  );
}

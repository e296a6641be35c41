/** Ends a PostgreSQL that an earlier start left running on a cluster's folder, and removes a stale postmaster.pid. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../../runtime/process-identity.mjs';
import { endProcess } from './end-process.ts';

export async function endOrphanedPostgres(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  const command = Number.isInteger(pid) ? commandOf(pid) : null;
  // The server is gone. PostgreSQL itself checks whether one of its backends still uses the folder.
  if (command === null) return;
  if (command.includes('postgres') && command.includes(cluster)) await endProcess(pid, 'SIGINT');
  // Another program has this pid now, as after a reboot or in a container, so PostgreSQL would refuse to start.
  else rmSync(file, { force: true });
}

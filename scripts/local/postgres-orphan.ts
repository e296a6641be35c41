/** Ends the PostgreSQL that an earlier start left on a cluster's folder, and clears away a stale postmaster.pid. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../process-identity.mjs';
import { endProcess } from './end-process.ts';

export async function endOrphanedPostgres(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  const command = Number.isInteger(pid) ? commandOf(pid) : null;
  // With the pid gone PostgreSQL itself checks best whether one of its backends still uses the folder.
  if (command === null) return;
  if (command.includes('postgres') && command.includes(cluster)) await endProcess(pid, 'SIGINT');
  // Another program has this pid now (pids restart in a container or after a boot), so PostgreSQL would refuse to start.
  else rmSync(file, { force: true });
}

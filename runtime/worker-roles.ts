/** The roles of worker processes: which tasks a process takes. */
import { StartupError } from './startup-error.ts';

/**
 * `workflows` runs workflows and their short steps, `deliveries` delivers events, `providers` prepares input images and
 * calls providers, and `embedded` runs the embedded engines.
 */
export const workerRoles = ['workflows', 'deliveries', 'providers', 'embedded'] as const;

export type WorkerRole = (typeof workerRoles)[number];

/** The roles whose workers run engines. */
export type EngineRole = Extract<WorkerRole, 'providers' | 'embedded'>;

/**
 * @param text roles, separated by commas; empty for all roles
 * @throws StartupError
 */
export function readWorkerRoles(text: string): ReadonlySet<WorkerRole> {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return new Set(workerRoles);
  const unknown = names.find((name) => !workerRoles.some((role) => role === name));
  if (unknown !== undefined) {
    throw new StartupError(`ATELIER_WORKER_ROLES must list ${workerRoles.join(', ')}, not "${unknown}".`);
  }
  return new Set(workerRoles.filter((role) => names.includes(role)));
}

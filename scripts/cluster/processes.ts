/** The processes of a cluster: two APIs, and workers by role, of which none shares a folder with another. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerRole } from '../../runtime/worker-roles.ts';
import type { Context } from '../local/backends.ts';
import { startService } from '../local/service.ts';
import { withoutTemporal } from '../local/services.ts';

/** The roles of each worker process. Every role but `embedded` has two processes, so that one may stop. */
export const workers: readonly (readonly WorkerRole[])[] = [
  ['workflows', 'deliveries'],
  ['workflows', 'deliveries', 'providers'],
  ['providers', 'embedded'],
];

export const apiNames = ['api-1', 'api-2'];
export const workerNames = workers.map((_roles, index) => `worker-${index + 1}`);

/** Returns the variables that give a process folders of its own. @param folder the folder of the process */
export function ownFolders(folder: string): { ATELIER_DATA: string; TMPDIR: string } {
  return { ATELIER_DATA: join(folder, 'data'), TMPDIR: join(folder, 'tmp') };
}

export interface ProcessPorts {
  /** In the order of `apiNames`. */
  apis: readonly number[];
  /** In the order of `apiNames`, then of `workerNames`. */
  metrics: readonly number[];
}

/** Starts all processes. @param env the variables that all of them need */
export async function startProcesses(
  context: Context,
  env: Readonly<Record<string, string>>,
  ports: ProcessPorts,
): Promise<void> {
  const apis = apiNames.map((name, index) => {
    const port = String(ports.apis[index]);
    return { name, entry: 'api/main.ts', own: { PORT: port }, done: `${name} on port ${port}` };
  });
  const others = workers.map((roles, index) => {
    const name = workerNames[index] ?? '';
    const own = { ATELIER_WORKER_ROLES: roles.join() };
    return { name, entry: 'workers/main.ts', own, done: `${name}: ${roles.join(', ')}` };
  });
  await Promise.all(
    [...apis, ...others].map((one, index) => {
      const own = { ...env, ...one.own, ATELIER_METRICS_PORT: String(ports.metrics[index]) };
      return startProcess(context, { ...one, env: own });
    }),
  );
}

interface Process {
  name: string;
  entry: string;
  env: Readonly<Record<string, string>>;
  /** What the terminal shows when it has started. */
  done: string;
}

async function startProcess({ data, parts, terminal }: Context, { name, entry, env, done }: Process): Promise<void> {
  const folders = ownFolders(data.file(name));
  mkdirSync(folders.TMPDIR, { recursive: true, mode: 0o700 });
  const file = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  const logFile = data.logFile(name);
  const all = { ...withoutTemporal(process.env), ...env, ...folders };
  const start = (signal: AbortSignal) => startService({ name, entry: file, env: all, logFile, signal });
  await terminal.step(
    name,
    () => parts.add({ name, title: name, logFile, start }),
    () => done,
  );
}

/** Starts the API or the worker as a process, and waits until it reports that it is ready. */
import { fileURLToPath } from 'node:url';
import { spawnChild, type Running } from './child.ts';
import { waitUntil } from './wait-until.ts';

/** V8's compile cache, from which a restarted process loads compiled code. */
const compiled = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/**
 * Settings of glibc's allocator, as in the Dockerfile: memory of images that are done returns to the system, and threads
 * share their arenas.
 */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' };

export interface ServiceOptions {
  name: string;
  /** The service's TypeScript file. */
  entry: string;
  /** The program `node`; default: the one of this process. */
  node?: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  signal?: AbortSignal | undefined;
}

export async function startService({ name, entry, node, env, logFile, signal }: ServiceOptions): Promise<Running> {
  const args = ['--disable-warning=ExperimentalWarning', entry];
  const child = await spawnChild({
    command: node ?? process.execPath,
    args,
    env: { NODE_COMPILE_CACHE: compiled, ...allocator, ...env },
    logFile,
    ipc: true,
    signal,
  });
  let ready = false;
  const draining = Promise.withResolvers<void>();
  child.process.on('message', (message) => {
    if (typeof message !== 'object' || message === null) return;
    if ('ready' in message) ready = true;
    if ('draining' in message) draining.resolve();
  });
  await waitUntil({ name, child }, () => (ready ? Promise.resolve() : Promise.reject(notYet)));
  return { pid: child.pid, exited: child.exited, draining: draining.promise, stop: child.stop };
}

const notYet = new Error('has not reported that it is ready');

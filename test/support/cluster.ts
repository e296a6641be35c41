/** The backends of a cluster, in a folder of their own, for `npm run test:cluster` and for benchmarks. */
import { mkdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterBackends, startClusterBackends } from '../../scripts/cluster/backends.ts';
import type { Running } from '../../scripts/local/child.ts';
import { throttledProgress } from './backends.ts';

export interface TestCluster extends ClusterBackends {
  folder: string;
  /** The running backends by name. */
  running: ReadonlyMap<string, Running>;
  stop(): Promise<void>;
}

/** The first call on a machine builds the servers, which takes minutes. */
export async function startTestCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-cluster-'));
  // PostgreSQL runs as another user when we are root.
  await chmod(folder, 0o711);
  mkdirSync(join(folder, 'logs'));
  const running = new Map<string, Running>();
  const stop = async () => {
    for (const backend of [...running.values()].reverse()) await backend.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const backends = await startClusterBackends({
      file: (...names) => join(folder, ...names),
      logFile: (name) => join(folder, 'logs', `${name}.log`),
      async startBackend({ name, start }) {
        const backend = await start(new AbortController().signal, throttledProgress());
        running.set(name, backend);
        return backend;
      },
    });
    return { ...backends, folder, running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Worker threads for everything that takes CPU: one job a core, a queue for the rest. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { TextToImage } from '../../schemas/plan.ts';

export interface Job {
  readonly family: string;
  readonly params: TextToImage;
}

export interface Pool {
  /** Rejects with the signal's reason as soon as it aborts, queued or running. */
  draw(job: Job, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function createPool(threads = availableParallelism()): Pool {
  const piscina = new Piscina<Job, Uint8Array>({
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    concurrentTasksPerWorker: 1,
  });
  return {
    draw: (job, signal) => piscina.run(job, { signal }),
    close: () => piscina.destroy(),
  };
}

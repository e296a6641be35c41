/** Worker threads for CPU work: one call for each core and a queue for the others. Texts have a separate thread. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Writing, Written } from '../contract/index.ts';
import { resultOf, type Outcome } from './outcome.ts';
import type { Made } from './raster.ts';
import type { Order } from './thread.ts';

export interface Pool<Job = Order, Result = Made | number | string> {
  /**
   * Rejects with the signal's reason as soon as it aborts, queued or running.
   * @throws the `EngineError` of the thread
   */
  run(job: Job, signal: AbortSignal): Promise<Result>;
  close(): Promise<void>;
}

/** Milliseconds for which an idle thread keeps its models in memory. */
const idleTimeout = 60_000;

export function createPool(threads = availableParallelism()): Pool {
  return pooled({ filename: new URL('./thread.ts', import.meta.url).href, maxThreads: threads, idleTimeout });
}

/** Rules take a millisecond and little memory, so their one thread stays after its first use. */
export function createRulesPool(): Pool<Writing, Written> {
  const filename = new URL('./rules/thread.ts', import.meta.url).href;
  return pooled({ filename, maxThreads: 1, idleTimeout: Infinity });
}

interface Threads {
  filename: string;
  maxThreads: number;
  idleTimeout: number;
}

function pooled<Job, Result>(threads: Threads): Pool<Job, Result> {
  const piscina = new Piscina<Job, Outcome<Result>>({ ...threads, minThreads: 0, concurrentTasksPerWorker: 1 });
  return {
    run: async (job, signal) => resultOf(await piscina.run(job, { signal })),
    close: () => piscina.destroy(),
  };
}

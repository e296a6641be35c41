/** Worker threads for everything that takes CPU: one job a core, a queue for the rest. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { EngineError } from '../engine.ts';
import type { Made } from './raster.ts';
import type { Order, Outcome } from './thread.ts';

export interface Pool {
  /**
   * Rejects with the signal's reason as soon as it aborts, queued or running.
   * @throws EngineError as the job did
   */
  run(order: Order, signal: AbortSignal): Promise<Made | number | string>;
  close(): Promise<void>;
}

/** Models stay in memory for so long after a thread's last job. */
const idleTimeout = 60_000;

export function createPool(threads = availableParallelism()): Pool {
  const piscina = new Piscina<Order, Outcome>({
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout,
    concurrentTasksPerWorker: 1,
  });
  return {
    async run(order, signal) {
      const outcome = await piscina.run(order, { signal });
      if ('result' in outcome) return outcome.result;
      const { code, message, publicMessage } = outcome.refusal;
      throw new EngineError(code, message, publicMessage === undefined ? {} : { publicMessage });
    },
    close: () => piscina.destroy(),
  };
}

/** Worker threads for CPU work: one call at a time in each thread, and a queue for the others. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { EngineError } from '../contract/index.ts';
import type { Order, Outcome, Result } from './thread.ts';

export interface Pool {
  /**
   * Rejects with the signal's reason as soon as it aborts, queued or running.
   * @throws the `EngineError` of the thread
   */
  run(order: Order, signal: AbortSignal): Promise<Result>;
  close(): Promise<void>;
}

/** @param idleTimeout milliseconds for which an idle thread keeps its models in memory */
export function createPool(maxThreads = availableParallelism(), idleTimeout = 60_000): Pool {
  const filename = new URL('./thread.ts', import.meta.url).href;
  const limits = { minThreads: 0, maxThreads, idleTimeout, concurrentTasksPerWorker: 1 };
  const piscina = new Piscina<Order, Outcome>({ filename, ...limits });
  return {
    run: async (order, signal) => resultOf(await piscina.run(order, { signal })),
    close: () => piscina.destroy(),
  };
}

function resultOf(outcome: Outcome): Result {
  if ('result' in outcome) return outcome.result;
  const { code, message, publicMessage } = outcome.refusal;
  throw new EngineError(code, message, publicMessage === undefined ? {} : { publicMessage });
}

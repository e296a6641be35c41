/** Worker threads for CPU work: one call at a time in each thread, and a queue for the others. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { EngineError } from '../contract/index.ts';
import type { Order, Outcome, Result } from './thread.ts';

export interface Pool {
  /**
   * Rejects with the signal's reason as soon as it aborts, queued or running. A running thread completes its call, because
   * ONNX Runtime ends the whole process when its thread is terminated.
   * @throws the `EngineError` of the thread
   */
  run(order: Order, signal: AbortSignal): Promise<Result>;
  /** Rejects queued calls, and waits for running threads. */
  close(): Promise<void>;
}

/**
 * Megabytes of a thread's JavaScript heap. Image buffers do not count. With its default limits, V8 would collect the
 * garbage of a thread late, because it could use gigabytes.
 */
const heap = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** @param idleTimeout milliseconds for which an idle thread keeps its models in memory */
export function createPool(maxThreads = availableParallelism(), idleTimeout = 60_000): Pool {
  const filename = new URL('./thread.ts', import.meta.url).href;
  const limits = { minThreads: 0, maxThreads, idleTimeout, concurrentTasksPerWorker: 1 };
  const piscina = new Piscina<Order, Outcome>({ filename, ...limits, resourceLimits: heap });
  const running = new Set<Promise<unknown>>();
  const queue: (() => void)[] = [];
  const closing = new AbortController();

  async function untilThreadIsFree(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running.size < maxThreads) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      const place = queue.indexOf(resolve);
      if (place >= 0) queue.splice(place, 1);
      reject(signal.reason as Error);
    };
    queue.push(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise;
    signal.removeEventListener('abort', leave);
    if (signal.aborted) queue.shift()?.();
    signal.throwIfAborted();
  }

  return {
    async run(order, caller) {
      const signal = AbortSignal.any([caller, closing.signal]);
      await untilThreadIsFree(signal);
      const call = piscina.run(order);
      const ended = call
        .catch(() => undefined)
        .then(() => {
          running.delete(ended);
          queue.shift()?.();
        });
      running.add(ended);
      return resultOf(await orAborted(call, signal));
    },
    async close() {
      closing.abort(new Error('The pool is closed'));
      await Promise.all(running);
      await piscina.destroy();
    },
  };
}

/** Rejects with the signal's reason when it aborts first. */
function orAborted<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([call, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

function resultOf(outcome: Outcome): Result {
  if ('result' in outcome) return outcome.result;
  const { code, message, publicMessage } = outcome.refusal;
  throw new EngineError(code, message, publicMessage === undefined ? {} : { publicMessage });
}

/** Repeats the upkeep of a worker process, such as the cancellation of jobs that are no longer needed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../activities/dependencies.ts';
import { isDatabaseUnavailable } from '../store/database.ts';

export interface Repetition {
  /** Waits for the work that runs. */
  stop(): Promise<void>;
}

/**
 * Does `work`, and again after each pause. A failure delays it until after the next pause.
 * @param pause milliseconds
 * @param work gets a signal that aborts when the process stops
 * @param first milliseconds before the first time
 */
export function repeat(
  log: Logger,
  pause: number,
  work: (signal: AbortSignal) => Promise<void>,
  first = 0,
): Repetition {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (time: number) => delay(time, undefined, { signal }).catch(() => undefined);
  const run = async () => {
    if (first > 0) await wait(first);
    while (!signal.aborted) {
      await work(signal).catch((err: unknown) => {
        // The steps of artworks report it.
        if (!isDatabaseUnavailable(err)) log.error({ err }, 'Upkeep failed');
      });
      await wait(pause);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

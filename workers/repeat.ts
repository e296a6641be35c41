/** Repeats the upkeep of a worker process, such as the cancellation of jobs that are no longer needed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../activities/dependencies.ts';
import { isDatabaseUnavailable } from '../store/database.ts';

export interface Repetition {
  /** Waits for the work that runs. */
  stop(): Promise<void>;
}

/** Does `work` at once, and again after each pause. A failure delays it until after the next pause. @param pause milliseconds */
export function repeat(log: Logger, pause: number, work: () => Promise<void>): Repetition {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await work().catch((err: unknown) => {
        // The steps of artworks report it.
        if (!isDatabaseUnavailable(err)) log.error({ err }, 'Upkeep failed');
      });
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
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

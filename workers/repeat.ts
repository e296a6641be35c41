/** Repeats the upkeep of a worker process, such as the cancellation of jobs that are no longer needed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../activities/dependencies.ts';
import { isDatabaseUnavailable } from '../store/database.ts';

/** Milliseconds after which a failure is logged although the database seems to be unavailable. */
const longestOutage = 10 * 60_000;

export interface Repetition {
  /** Resolves when the current run of the work has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` repeatedly, with a pause after each run. A failed run is logged, and the next one follows after the pause.
 * @param pause milliseconds
 * @param work gets a signal that aborts when the process stops
 * @param first milliseconds before the first run
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
  let failingSince: number | null = null;
  const report = (err: unknown) => {
    failingSince ??= performance.now();
    // Steps of artworks already log an outage of the database. A longer failure is one of this work alone.
    if (isDatabaseUnavailable(err) && performance.now() - failingSince < longestOutage) return;
    failingSince = null;
    log.error({ err }, 'Upkeep failed');
  };
  const run = async () => {
    if (first > 0) await wait(first);
    while (!signal.aborted) {
      await work(signal).then(() => (failingSince = null), report);
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

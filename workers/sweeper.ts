/** Sweeps the database from time to time, beside the workflows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../activities/dependencies.ts';
import type { Database } from '../store/database.ts';
import { sweep } from '../store/sweep.ts';

/** Milliseconds between two sweeps of a process. */
const usualInterval = 5 * 60_000;

export interface Sweeper {
  close(): Promise<void>;
}

/** Starts the sweeps, the first of them after a random part of the interval. */
export function startSweeper(db: Database, log: Logger, now: () => number, interval = usualInterval): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    await sleep(Math.random() * interval, undefined, { signal });
    for (;;) {
      // The next sweep continues where a failed one has ended.
      await sweep(db, new Date(now()), signal).catch((err: unknown) => log.warn({ err }, 'A sweep has failed'));
      await sleep(interval, undefined, { signal });
    }
  })().catch(() => undefined);
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

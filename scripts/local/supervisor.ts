/** Keeps a process running: restarts it when it ends, first immediately, then after growing pauses. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit, Running, StopOptions } from './child.ts';

export type SupervisorEvent<R> =
  { kind: 'up'; running: R; restarted: boolean; seconds: number } | { kind: 'down'; why: string; failures: number };

export interface Supervise<R extends Running> {
  /** The signal ends the attempt; after the promise has settled, it has no effect. */
  start: (signal: AbortSignal) => Promise<R>;
  onEvent?: (event: SupervisorEvent<R>) => void;
}

export interface Supervised<R extends Running> {
  /** The first start. If it fails, the supervisor does not restart the process. */
  readonly ready: Promise<R>;
  /** Stops the process for good, even during a start. A second call may use a stronger signal. */
  stop(how?: StopOptions): Promise<void>;
}

/** Milliseconds. The pause doubles with each failure: none, then 250 ms, 500 ms, up to this. */
const longestPause = 2000;
/** Milliseconds after which a running process is not in a crash loop. */
const stableAfter = 10_000;

export function supervise<R extends Running>({ start, onEvent = () => undefined }: Supervise<R>): Supervised<R> {
  const ending = new AbortController();
  const first = Promise.withResolvers<R>();
  // A caller that only stops the supervisor never awaits this promise.
  first.promise.catch(() => undefined);
  let running: R | null = null;
  let how: StopOptions | undefined;

  async function keep(): Promise<void> {
    let restarted = false;
    let failures = 0;
    let since = performance.now();
    while (!ending.signal.aborted) {
      try {
        running = await attempt(start, ending.signal);
      } catch (error) {
        if (!restarted) throw error;
        failures += 1;
        if (!ending.signal.aborted) onEvent({ kind: 'down', why: messageOf(error), failures });
      }
      if (running !== null) {
        if (ending.signal.aborted) await running.stop(how);
        else onEvent({ kind: 'up', running, restarted, seconds: (performance.now() - since) / 1000 });
        first.resolve(running);
        const began = performance.now();
        const exit = await running.exited;
        running = null;
        since = performance.now();
        failures = since - began > stableAfter ? 0 : failures + 1;
        if (!ending.signal.aborted) onEvent({ kind: 'down', why: describe(exit), failures });
      }
      restarted = true;
      if (failures > 1)
        await sleep(Math.min(longestPause, 62.5 * 2 ** failures), undefined, { signal: ending.signal }).catch(
          () => undefined,
        );
    }
  }

  const kept = keep().catch((error: unknown) => first.reject(error));
  return {
    ready: first.promise,
    stop: async (options) => {
      how = options;
      ending.abort(new Error('stopped'));
      await running?.stop(options);
      await kept;
    },
  };
}

async function attempt<R>(start: (signal: AbortSignal) => Promise<R>, ending: AbortSignal): Promise<R> {
  const controller = new AbortController();
  const cancel = () => controller.abort(ending.reason);
  ending.addEventListener('abort', cancel);
  try {
    return await start(controller.signal);
  } finally {
    ending.removeEventListener('abort', cancel);
  }
}

function describe({ code, signal }: Exit): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Keeps a process running: restarts it when it ends, first immediately, then after growing pauses. Does not wait for the
 * end of a process that drains.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit, Running, StopOptions } from './child.ts';

export type SupervisorEvent<R> =
  | { kind: 'up'; running: R; restarted: boolean; seconds: number }
  | { kind: 'down'; why: string; failures: number }
  | { kind: 'draining'; running: R }
  /** Follows `draining`. `why` is null when the process has finished its work. */
  | { kind: 'drained'; running: R; why: string | null };

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
  const draining = new Set<R>();
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
        const exit = await Promise.race([running.exited, drains(running)]);
        if (exit === null) letDrain(running);
        running = null;
        since = performance.now();
        failures = since - began > stableAfter ? 0 : failures + 1;
        if (exit !== null && !ending.signal.aborted) onEvent({ kind: 'down', why: describe(exit), failures });
      }
      restarted = true;
      if (failures > 1)
        await sleep(Math.min(longestPause, 62.5 * 2 ** failures), undefined, { signal: ending.signal }).catch(
          () => undefined,
        );
    }
  }

  /** Resolves with null when the process drains although this supervisor does not stop it. */
  async function drains(one: R): Promise<null> {
    await one.draining;
    return one.draining === undefined || ending.signal.aborted ? await never() : null;
  }

  function letDrain(one: R): void {
    draining.add(one);
    onEvent({ kind: 'draining', running: one });
    void one.exited.then((exit) => {
      draining.delete(one);
      const why = exit.code === 0 ? null : describe(exit);
      if (!ending.signal.aborted) onEvent({ kind: 'drained', running: one, why });
    });
  }

  const kept = keep().catch((error: unknown) => first.reject(error));
  return {
    ready: first.promise,
    stop: async (options) => {
      how = options;
      ending.abort(new Error('stopped'));
      // Another SIGTERM would end a process that drains before it has finished its work.
      const drained = [...draining].map((one) => one.stop({ signal: null, ...options }));
      await Promise.all([running?.stop(options), ...drained]);
      await kept;
    },
  };
}

const never = () => new Promise<never>(() => undefined);

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

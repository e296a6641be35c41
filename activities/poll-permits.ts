/**
 * The permits of this process for the queue of one provider with limits. A poll of the queue needs a permit, so calls
 * that cannot start wait in the queue. The call that the poll returns keeps the permit until its provider has finished.
 */
import type { ProviderLimits } from '../schemas/engines-file.ts';
import type { Database } from '../store/database.ts';
import { requestPermits } from '../store/poll-permits.ts';

/** Milliseconds between two renewals, and between two requests for a permit that was not granted. */
const interval = 1000;
/** Milliseconds. A poll that takes longer than Temporal's long polls does not reach Temporal. */
const longestPoll = 75_000;

/** The permit of one call. Repeated calls of its functions have no effect. */
export interface Permit {
  /** The call starts: it no longer waits for the provider's rate. */
  start(): void;
  /** The provider has finished, or the call was not started. Another call may be taken from the queue. */
  release(): void;
}

/** The permit of a call at an engine without limits. */
export const noPermit: Permit = { start: () => undefined, release: () => undefined };

export interface PollPermits {
  /** Waits for a permit for a poll. @throws the reason of `signal` */
  reserve(signal: AbortSignal): Promise<void>;
  /** A poll has returned a call. */
  take(): void;
  /** A poll has ended without a call, or the activity of a call has ended. */
  free(isUsed: boolean): void;
  /** Returns the permit of a call whose activity begins. */
  open(): Permit;
  /** Stops the renewals. */
  close(): Promise<void>;
}

interface Options {
  engine: string;
  /** A name that no other process has. */
  worker: string;
  limits: ProviderLimits;
  /** Maximum polls and activities of this process, including those whose provider has finished. */
  capacity: number;
  now(): number;
}

export function createPollPermits(db: Database, { engine, worker, limits, capacity, now }: Options): PollPermits {
  /** Polls and activities. */
  let slots = 0;
  /** Those that are activities. */
  let used = 0;
  /** Activities that have released their permits. */
  let released = 0;
  /** Activities that hold a permit and have started their call. */
  let started = 0;
  let lastPollEnd = now();
  const waiters = new Set<() => void>();

  const exchange = async () => {
    const polls = slots - used;
    // Other workers get the permits of polls that do not reach Temporal.
    const isCutOff = polls > 0 && now() - lastPollEnd > longestPoll;
    const held = slots - released - (isCutOff ? polls : 0);
    const wanted = isCutOff ? 0 : Math.min(waiters.size, capacity - slots);
    if (held === 0 && wanted === 0 && !isStored) return;
    const granted = await requestPermits(db, engine, limits, { worker, held, waiting: held - started, wanted });
    isStored = held + granted > 0;
    // Another exchange gives back the permits of polls that were canceled meanwhile.
    if (granted > waiters.size) update();
    for (const grant of [...waiters].slice(0, granted)) grant();
  };
  let isStored = false;
  let isDue = false;
  let exchanging: Promise<void> | null = null;
  const update = () => {
    isDue = true;
    exchanging ??= exchangeWhileDue().finally(() => (exchanging = null));
  };
  async function exchangeWhileDue(): Promise<void> {
    while (isDue) {
      isDue = false;
      // After a failure, the timer makes the next exchange.
      await exchange().catch(() => (isDue = false));
    }
  }
  const timer = setInterval(update, interval);

  return {
    reserve(signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const cancel = () => {
        waiters.delete(grant);
        reject(signal.reason as Error);
      };
      const grant = () => {
        waiters.delete(grant);
        signal.removeEventListener('abort', cancel);
        if (slots === used) lastPollEnd = now();
        slots++;
        resolve();
      };
      if (signal.aborted) cancel();
      else {
        signal.addEventListener('abort', cancel);
        waiters.add(grant);
        update();
      }
      return promise;
    },
    take() {
      used++;
      lastPollEnd = now();
    },
    free(isUsed) {
      slots--;
      if (isUsed) used--;
      else lastPollEnd = now();
      // The activity of a used slot has released its permit, unless it has never begun.
      if (isUsed && released > 0) released--;
      update();
    },
    open() {
      let state: 'waiting' | 'started' | 'released' = 'waiting';
      return {
        start() {
          if (state !== 'waiting') return;
          state = 'started';
          started++;
          if (limits.perSecond !== undefined) update();
        },
        release() {
          if (state === 'released') return;
          if (state === 'started') started--;
          state = 'released';
          released++;
          update();
        },
      };
    },
    async close() {
      clearInterval(timer);
      await exchanging;
    },
  };
}

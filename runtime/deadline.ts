/** Limits how long steps may take: each step by its own timeout, and all steps of a request by one deadline. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Deadline {
  /** By `performance.now()`. */
  at: number;
}

/** Null outside requests: background work has no deadline. */
const current = new AsyncLocalStorage<Deadline | null>();

/**
 * Runs work whose steps together take at most `timeout` milliseconds: connections, queries, calls to Temporal and file
 * operations share the deadline, however many there are. Replaces the deadline of the caller.
 */
export function withDeadline<T>(timeout: number, work: () => Promise<T>): Promise<T> {
  return current.run({ at: performance.now() + timeout }, work);
}

/** Runs work that continues after its request has ended. */
export const withoutDeadline = <T>(work: () => T): T => current.run(null, work);

/** Runs `work` without a deadline, then extends the caller's deadline by the time that it took. For waits on a client. */
export async function pauseDeadline<T>(work: () => Promise<T>): Promise<T> {
  const deadline = current.getStore();
  const began = performance.now();
  try {
    return await withoutDeadline(work);
  } finally {
    if (deadline) deadline.at += performance.now() - began;
  }
}

/** Returns the milliseconds until the deadline, from 0 to `atMost`; `atMost` without a deadline. */
export function timeLeft(atMost = Infinity): number {
  const deadline = current.getStore();
  return deadline ? Math.max(Math.min(deadline.at - performance.now(), atMost), 0) : atMost;
}

/** Returns whether an error is the timeout of `within`. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/**
 * Runs `work` and aborts it after its timeout or at the deadline. Does not rely on `work` to notice the signal.
 * @param timeout milliseconds; Infinity: only the deadline counts
 * @throws TimeoutError (by name)
 */
export async function within<T>(timeout: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const left = timeLeft(timeout);
  if (left === Infinity) return work(controller.signal);
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DOMException('The deadline has passed', 'TimeoutError');
    reject(error);
    controller.abort(error);
  }, left);
  try {
    return await Promise.race([work(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}

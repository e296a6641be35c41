/** Starts work at a fixed rate, without waiting for earlier work. */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts `work` `rate` times per second, and waits until all of it has ended.
 * @param work takes its number, from 0, and the time when it should have begun, by `performance.now()`
 * @throws the first error of `work`, after all of it has begun
 */
export async function atFixedTimes(
  rate: number,
  seconds: number,
  work: (nth: number, due: number) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const begun = [];
  for (let nth = 0; nth < rate * seconds; nth++) {
    const due = began + (nth * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await delay(early);
    const running = work(nth, due);
    // Handled below, when all of it has begun.
    running.catch(() => undefined);
    begun.push(running);
  }
  const results = await Promise.allSettled(begun);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

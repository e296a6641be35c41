/** Retries writes of facts and images that only this process knows. Retrying the whole step would repeat paid work or a delivery. */
import { setTimeout as delay } from 'node:timers/promises';
import { isStoreUnavailable } from '../store/unavailable.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Milliseconds for a delivery attempt. With the timeouts of delivery and database, they fit into the 30 s of the step.
 */
export const deliveryWriteTimeout = 8000;
/**
 * Milliseconds for results that may have cost money: as long as a call waits for a provider. `grace` in `begin.ts`
 * includes it.
 */
export const resultWriteTimeout = 30 * 60_000;
/** Milliseconds between two attempts. Pauses double, so that an overloaded store can recover. */
const shortestPause = 200;
const longestPause = 2000;

/**
 * Repeats a write while the database or the image files are unavailable.
 * @param timeout milliseconds
 * @param signal ends the repetitions
 * @throws the error of the last attempt
 */
export async function retryWrite<T>(
  deps: Pick<Dependencies, 'now'>,
  timeout: number,
  write: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = deps.now() + timeout;
  for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await write();
    } catch (error) {
      if (!isStoreUnavailable(error) || deps.now() >= deadline || signal?.aborted) throw error;
    }
    await delay(pause);
  }
}

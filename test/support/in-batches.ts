/** Sends many requests in small batches, so that they do not overload a busy machine. */
import { eventually } from './eventually.ts';

/** Runs the work for five items at a time and retries failures. @returns the results in the order of the items */
export async function inBatches<I, T>(items: readonly I[], work: (item: I) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < items.length) {
    const batch = items.slice(results.length, results.length + 5);
    // A client retries after a 503.
    results.push(...(await Promise.all(batch.map((item) => eventually(() => work(item), 20_000, 250)))));
  }
  return results;
}

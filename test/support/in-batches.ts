/** Many requests, without a burst that overloads a busy machine. */
import { eventually } from './eventually.ts';

/** Does the work for each item, five at a time, again where it fails. @returns the results in the order of the items */
export async function inBatches<I, T>(items: readonly I[], work: (item: I) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < items.length) {
    const batch = items.slice(results.length, results.length + 5);
    // A 503 asks its client to try again.
    results.push(...(await Promise.all(batch.map((item) => eventually(() => work(item), 20_000, 250)))));
  }
  return results;
}

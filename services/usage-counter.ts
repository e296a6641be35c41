/** Counts requests and artworks in memory and adds them to the database in batches, so that no row becomes hot. */
import type { Logger } from '../runtime/log.ts';
import type { Database } from '../store/database.ts';
import { type CountedUsage, saveCounts } from '../store/usage.ts';

export interface UsageCounter {
  /** @param operation null for requests that are no creation. @param at epoch milliseconds */
  countRequest(keyId: string, operation: string | null, at: number): void;
  /** An artwork that was accepted. */
  countArtwork(keyId: string, operation: string, at: number): void;
  /** Writes what is left; nothing is lost at a clean stop. */
  close(): Promise<void>;
}

const every = 2000;

export function openUsageCounter(db: Database, log: Logger): UsageCounter {
  let counts = new Map<string, CountedUsage>();
  let flushing = Promise.resolve();

  const add = (more: CountedUsage) => {
    const name = `${more.key} ${more.day} ${more.operation}`;
    const { requests = 0, artworks = 0, lastUsedAt = more.lastUsedAt } = counts.get(name) ?? {};
    counts.set(name, {
      ...more,
      requests: requests + more.requests,
      artworks: artworks + more.artworks,
      lastUsedAt: lastUsedAt > more.lastUsedAt ? lastUsedAt : more.lastUsedAt,
    });
  };
  const count = (key: string, operation: string | null, at: number, what: { requests?: 1; artworks?: 1 }) => {
    const lastUsedAt = new Date(at);
    const day = lastUsedAt.toISOString().slice(0, 10);
    add({ key, operation, day, lastUsedAt, requests: 0, artworks: 0, ...what });
  };
  const flush = async () => {
    if (counts.size === 0) return;
    const counted = [...counts.values()];
    counts = new Map();
    try {
      await saveCounts(db, counted);
    } catch (err) {
      log.warn({ err }, 'uses of keys could not be written yet');
      counted.forEach(add);
    }
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, every);
  timer.unref();

  return {
    countRequest: (key, operation, at) => count(key, operation, at, { requests: 1 }),
    countArtwork: (key, operation, at) => count(key, operation, at, { artworks: 1 }),
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}

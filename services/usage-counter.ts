/** Counts requests and artworks in memory and adds them to the database in batches, so that no row is updated too often. */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../runtime/log.ts';
import type { Database } from '../store/database.ts';
import { type CountedUsage, forgetOldBatches, saveCounts, type UsageBatch } from '../store/usage.ts';

export interface UsageCounter {
  /** @param operation null for requests other than creations. @param at epoch milliseconds */
  countRequest(keyId: string, operation: string | null, at: number): void;
  /** Counts an accepted artwork. */
  countArtwork(keyId: string, operation: string, at: number): void;
  /** Writes the remaining counts. */
  close(): Promise<void>;
}

/** Milliseconds between two batches. */
const interval = 2000;
/** Maximum sums in a batch, because a statement has at most 65,535 values. */
const batchSize = 5000;

export function openUsageCounter(db: Database, log: Logger): UsageCounter {
  const counter = randomUUID();
  const counts = new Map<string, CountedUsage>();
  let batches = 0;
  /** A batch that may have been added although its response is missing. It is sent again unchanged. */
  let unconfirmed: UsageBatch | null = null;
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
  const count = (key: string, operation: string | null, at: number, increment: { requests?: 1; artworks?: 1 }) => {
    const lastUsedAt = new Date(at);
    const day = lastUsedAt.toISOString().slice(0, 10);
    add({ key, operation, day, lastUsedAt, requests: 0, artworks: 0, ...increment });
  };
  const save = async () => {
    if (unconfirmed) await saveCounts(db, unconfirmed);
    unconfirmed = null;
  };
  const flush = async () => {
    try {
      await save();
      while (counts.size > 0) {
        const next = [...counts].slice(0, batchSize);
        unconfirmed = { counter, number: ++batches, counts: next.map(([, sum]) => sum) };
        for (const [name] of next) counts.delete(name);
        await save();
      }
    } catch (err) {
      log.warn({ err }, 'Could not write usage counts; the batch is repeated');
    }
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, interval);
  timer.unref();

  return {
    countRequest: (key, operation, at) => count(key, operation, at, { requests: 1 }),
    countArtwork: (key, operation, at) => count(key, operation, at, { artworks: 1 }),
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
      await forgetOldBatches(db).catch(() => undefined);
    },
  };
}

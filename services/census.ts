/** Refreshes the gauges of unfinished and stuck artworks when the metrics are scraped. */
import type { Client } from '@temporalio/client';
import type { ApiMetrics } from '../runtime/metrics.ts';
import type { Logger } from '../runtime/log.ts';
import { countUnfinished } from '../store/census.ts';
import type { Database } from '../store/database.ts';
import { countStuck, stuckKinds } from './stuck.ts';

/** Milliseconds for which a census is reused, so that frequent scrapes cost no more than one. */
const freshFor = 10_000;

interface Options {
  db: Database;
  temporal: Client;
  metrics: ApiMetrics;
  log: Logger;
  now(): number;
}

/** Returns a function that refreshes the gauges. */
export function createCensus(options: Options): () => Promise<void> {
  const { metrics, log, now } = options;
  const { artworks, oldest, stuck } = metrics;
  let taken = { at: -Infinity, done: Promise.resolve() };
  const take = async () => {
    const counted = await count(options).catch((err: unknown) => {
      metrics.censusFailures.inc();
      log.warn({ err }, 'Could not count artworks');
      return null;
    });
    // After a failure, the gauges are missing: outdated values would hide it.
    for (const gauge of [artworks, oldest, stuck]) gauge.reset();
    if (!counted) return;
    for (const status of ['STARTING', 'PROCESSING'] as const) {
      const groups = counted.groups.filter((group) => group.status === status);
      for (const group of groups) artworks.set({ operation: group.operation, status }, group.count);
      const first = Math.min(...groups.map((group) => group.oldest.getTime()), now());
      oldest.set({ status }, (now() - first) / 1000);
    }
    for (const why of stuckKinds) stuck.set({ why }, counted.stuck[why]);
  };
  return () => {
    if (now() - taken.at > freshFor) taken = { at: now(), done: take() };
    return taken.done;
  };
}

async function count(options: Options) {
  const [groups, stuck] = await Promise.all([countUnfinished(options.db), countStuck(options)]);
  return { groups, stuck };
}

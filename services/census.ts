/** Refreshes the gauges of unfinished and stuck artworks when the metrics are scraped. */
import type { Client } from '@temporalio/client';
import type { ApiMetrics } from '../runtime/metrics.ts';
import { countOverdue, countUnfinished, findUnfinishedIds } from '../store/census.ts';
import type { Database } from '../store/database.ts';
import type { Logger } from '../runtime/log.ts';

/** Milliseconds for which a census is reused, so that frequent scrapes cost no more than one. */
const freshFor = 10_000;
/** Milliseconds before an artwork can count as stuck. Temporal's visibility may lag by seconds. */
const grace = { unfinished: 2 * 60_000, purge: 10 * 60_000 };
/** Maximum rows to check. If more are stuck, the exact number does not matter. */
const maxChecked = 1000;
/** Workflows in one query to Temporal. */
const page = 100;
/** Milliseconds for each page of Temporal's list. */
const timeout = 3000;

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
    stuck.set({ why: 'workflow_gone' }, counted.gone);
    stuck.set({ why: 'overdue' }, counted.overdue);
  };
  return () => {
    if (now() - taken.at > freshFor) taken = { at: now(), done: take() };
    return taken.done;
  };
}

async function count({ db, temporal, now }: Options) {
  const [groups, old, overdue] = await Promise.all([
    countUnfinished(db),
    findUnfinishedIds(db, new Date(now() - grace.unfinished), maxChecked),
    countOverdue(db, new Date(now() - grace.purge), maxChecked),
  ]);
  return { groups, overdue, gone: await countGone(temporal, db, old, now) };
}

/** Counts unfinished artworks without a running workflow. */
async function countGone(temporal: Client, db: Database, ids: readonly string[], now: () => number): Promise<number> {
  const missing = new Set(ids);
  for (let from = 0; from < ids.length; from += page) {
    const quoted = ids.slice(from, from + page).map((id) => `'${id}'`);
    const query = `ExecutionStatus = 'Running' AND WorkflowId IN (${quoted.join(', ')})`;
    await temporal.connection.withDeadline(now() + timeout, async () => {
      for await (const { workflowId } of temporal.workflow.list({ query, pageSize: page })) missing.delete(workflowId);
    });
  }
  if (missing.size === 0) return 0;
  // Some may have ended since the query.
  const still = await findUnfinishedIds(db, new Date(now() - grace.unfinished), maxChecked);
  return still.filter((id) => missing.has(id)).length;
}

/**
 * Runs the background work of a worker process: discards obsolete jobs, serves removed engines, purges expired claims,
 * sweeps old rows and seals the audit log.
 */
import type { Dependencies } from '../activities/dependencies.ts';
import { purgeAbandoned } from '../activities/abandoned.ts';
import { discardObsoleteJobs, giveUpJobs } from '../activities/obsolete-jobs.ts';
import { sweep } from '../store/sweep.ts';
import { serveRemovedEngines } from './removed-engines.ts';
import { sealAudit } from './seal-audit.ts';
import { repeat, type Repetition } from './repeat.ts';
import { createRemovedWorker, type WorkersOptions } from './worker.ts';

/** Milliseconds between two rounds. */
const pauses = { discard: 1000, giveUp: 60_000, purge: 30_000, sweep: 5 * 60_000, seal: 60_000 };

export function startUpkeep(deps: Dependencies, options: WorkersOptions): Repetition {
  const { db, catalogue, metrics, log, roles, now } = deps;
  const runsEngines = roles.has('providers') || roles.has('embedded');
  const createWorker = runsEngines ? (engine: string) => createRemovedWorker(options, engine) : undefined;
  const upkeep = [serveRemovedEngines({ db, catalogue, log, createWorker })];
  if (roles.has('providers')) {
    for (const provider of catalogue.providers) {
      const discard = (signal: AbortSignal) => discardObsoleteJobs(deps, provider, signal);
      upkeep.push(repeat(log, pauses.discard, discard));
      // An alert needs the series before its first increase.
      metrics.undiscardedJobs.inc({ engine: provider }, 0);
    }
    upkeep.push(repeat(log, pauses.giveUp, () => giveUpJobs(deps)));
  }
  if (roles.has('workflows')) {
    // Processes that start together work at different times.
    upkeep.push(repeat(log, pauses.purge, () => purgeAbandoned(deps), Math.random() * pauses.purge));
    const sweepOnce = (signal: AbortSignal) => sweep(db, new Date(now()), signal);
    upkeep.push(repeat(log, pauses.sweep, sweepOnce, Math.random() * pauses.sweep));
    upkeep.push(repeat(log, pauses.seal, (signal) => sealAudit(deps, signal), Math.random() * pauses.seal));
  }
  return { stop: async () => void (await Promise.all(upkeep.map((one) => one.stop()))) };
}

/** The upkeep of a worker process besides its tasks: jobs that are no longer needed, calls of removed engines, and old rows. */
import type { Dependencies } from '../activities/dependencies.ts';
import { discardObsoleteJobs, giveUpJobs } from '../activities/obsolete-jobs.ts';
import { sweep } from '../store/sweep.ts';
import { serveRemovedEngines } from './removed-engines.ts';
import { repeat, type Repetition } from './repeat.ts';
import { createRemovedWorker, type WorkersOptions } from './worker.ts';

/** Milliseconds between two rounds. */
const pauses = { discard: 1000, giveUp: 60_000, sweep: 5 * 60_000 };

export function startUpkeep(deps: Dependencies, options: WorkersOptions): Repetition {
  const { db, catalogue, log, roles, now } = deps;
  const runsEngines = roles.has('providers') || roles.has('embedded');
  const createWorker = runsEngines ? (engine: string) => createRemovedWorker(options, engine) : undefined;
  const upkeep = [serveRemovedEngines({ db, catalogue, log, createWorker })];
  if (roles.has('providers')) {
    upkeep.push(repeat(log, pauses.discard, () => discardObsoleteJobs(deps)));
    upkeep.push(repeat(log, pauses.giveUp, () => giveUpJobs(deps)));
  }
  if (roles.has('workflows')) {
    const sweepOnce = (signal: AbortSignal) => sweep(db, new Date(now()), signal);
    // Processes that start together sweep at different times.
    upkeep.push(repeat(log, pauses.sweep, sweepOnce, Math.random() * pauses.sweep));
  }
  return { stop: async () => void (await Promise.all(upkeep.map((one) => one.stop()))) };
}

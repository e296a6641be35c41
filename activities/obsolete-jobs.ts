/**
 * Cancels the jobs at providers that are no longer needed, and deletes their copies there. Each is repeated until the
 * provider has confirmed it. Nothing waits for it.
 */
import { EngineError } from '../engines/contract/index.ts';
import type { ObsoleteJob } from '../store/entities.ts';
import {
  claimObsoleteJobs,
  forgetObsoleteJob,
  giveUpObsoleteJobs,
  postponeObsoleteJob,
} from '../store/obsolete-jobs.ts';
import type { Dependencies } from './dependencies.ts';

type Deps = Pick<Dependencies, 'db' | 'catalogue' | 'metrics' | 'log'>;

/** Jobs whose requests are sent at the same time. A provider with `Retry-After` holds up only its own. */
const batch = 20;
/** Milliseconds. The pause doubles with each attempt. */
const firstPause = 1000;
const longestPause = 10 * 60_000;
/** Attempts before a failure is worth a line in the log: a provider may need some seconds to stop a job. */
const quietAttempts = 2;

/** Sends the requests that are due. */
export async function discardObsoleteJobs(deps: Deps): Promise<void> {
  const jobs = await claimObsoleteJobs(deps.db, deps.catalogue.providers, batch);
  await Promise.all(jobs.map((job) => discard(deps, job)));
}

/** Ends the repetition for providers that have confirmed nothing for too long. */
export async function giveUpJobs({ db, metrics, log }: Deps): Promise<void> {
  for (const [engine, { length: jobs }] of Map.groupBy(await giveUpObsoleteJobs(db), (engine) => engine)) {
    metrics.undiscardedJobs.inc({ engine }, jobs);
    log.error({ engine, jobs }, 'Gave up on jobs that their provider has neither canceled nor deleted');
  }
}

async function discard({ db, catalogue, log }: Deps, job: ObsoleteJob): Promise<void> {
  const { engine: name, remoteId: id, model, submittedTo, isEnded, attempts } = job;
  try {
    const engine = await catalogue.engine(name);
    await engine.discard?.({ id, model, submittedTo: submittedTo ?? null, isEnded });
  } catch (err) {
    const requested = err instanceof EngineError ? err.retryAfter : undefined;
    const pause = Math.min(firstPause * 2 ** Math.min(attempts - 1, 20), longestPause);
    if (attempts > quietAttempts) log.warn({ err, engine: name, attempts }, 'A provider did not discard a job');
    await postponeObsoleteJob(db, job, { wait: Math.max(pause, requested ?? 0), isHeld: requested !== undefined });
    return;
  }
  await forgetObsoleteJob(db, job);
}

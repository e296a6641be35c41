/**
 * Cancels obsolete jobs at their providers and deletes their copies there. Repeats each request until the provider has
 * confirmed it. No artwork waits for these requests.
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

/** Maximum jobs of a provider whose requests a process sends at the same time. */
const batch = 20;
/** Milliseconds. The pause doubles with each attempt. */
const firstPause = 1000;
const longestPause = 10 * 60_000;
/** Failed attempts that are not logged: a provider may need some seconds to stop a job. */
const quietAttempts = 2;

/** Sends the requests to a provider that are due. */
export async function discardObsoleteJobs(deps: Deps, provider: string, signal: AbortSignal): Promise<void> {
  let claimed = batch;
  while (claimed === batch && !signal.aborted) {
    const jobs = await claimObsoleteJobs(deps.db, provider, batch);
    claimed = jobs.length;
    const outcomes = await Promise.allSettled(jobs.map((job) => discard(deps, job)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** Deletes, logs and counts the jobs that no provider has confirmed for eight days. */
export async function giveUpJobs({ db, metrics, log }: Deps): Promise<void> {
  for (const [engine, { length: jobs }] of Map.groupBy(await giveUpObsoleteJobs(db), (engine) => engine)) {
    metrics.undiscardedJobs.inc({ engine }, jobs);
    log.error(
      { engine, jobs },
      'Gave up on jobs: their provider confirmed neither the cancellation nor the deletion of copies',
    );
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

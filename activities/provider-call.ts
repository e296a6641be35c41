/** Connects an engine of a provider with the stored submissions and the job of its call, and cancels jobs that are no longer needed. */
import { EngineError, type Remote } from '../engines/contract/index.ts';
import type { Job } from '../store/entities.ts';
import { type CallAtEngine, countSubmission, endJob, endSubmission, findOpenJobs, saveJobId } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { resultWriteTimeout, retryWrite } from './retry-write.ts';
import { CallTaken, keepLease, leases, type SubmissionLease } from './submission-lease.ts';

/** Milliseconds that the download of a result may take. */
const downloadTimeout = 120_000;
/** Milliseconds for the write that settles a submission. */
const settleTimeout = 8000;

interface CallOptions {
  /** The name in the catalogue. */
  model: string;
  /** Milliseconds that the call may take. */
  timeout: number;
  /** Whether the response to the submission contains the result. */
  isDirect: boolean;
  /** The row of the call after `awaitOutcome`. */
  known: Job | null;
  /** Aborts when the attempt ends; nothing is submitted after that. */
  signal: AbortSignal;
  submitSignal: AbortSignal;
  /** Waits until the call may start. @param prepare runs before the start */
  acquire(prepare: () => Promise<void>): Promise<void>;
}

/** The artwork has ended or was deleted while the call waited for its slot. */
export class ArtworkEnded extends EngineError {
  constructor() {
    super('internal_error', 'The artwork of this call has ended');
  }
}

export interface ProviderCall {
  remote: Remote;
  /** Whether the provider holds a job of the call, so that another engine would be paid for the same call. */
  hasJob(): boolean;
  /**
   * Records the outcome of this attempt's submission, if it has made one. Never throws: if the write fails, the lease
   * expires.
   * @param outcome `stored`: its result is stored; `free`: it costs nothing; `charged`: it may have been charged for, and
   * its result can be read only from its job, if there is one
   */
  settle(outcome: 'stored' | 'free' | 'charged'): Promise<void>;
}

export function openProviderCall(
  deps: Dependencies,
  call: CallAtEngine,
  { model, timeout, isDirect, known, signal, submitSignal, acquire }: CallOptions,
): ProviderCall {
  const { db, outbound, now } = deps;
  const lease = isDirect ? leases.direct : leases.queue;
  let { submissions, charges } = known ?? { submissions: 0, charges: 0 };
  const id = known?.endedAt == null ? known?.remoteId : null;
  let hasJob = id != null;
  let submission: SubmissionLease | null = null;
  let counting = Promise.resolve();
  let isSent = false;
  const count = async () => {
    signal.throwIfAborted();
    const countedAt = performance.now();
    const next = { model, submittedAt: new Date(now()), earlier: submissions, charge: 1, lease } as const;
    const outcome = await countSubmission(db, call, next);
    if (outcome === 'ended') throw new ArtworkEnded();
    if (outcome === 'taken') throw new CallTaken();
    submissions += 1;
    charges += 1;
    submission = keepLease(deps, call, { submissions, lease, countedAt });
  };
  const remote: Remote = {
    job: known && id != null ? { id, submittedAt: known.submittedAt.getTime(), charges } : null,
    timeout,
    now,
    submitSignal,
    async acquireSlot() {
      await acquire(() => (counting = count()));
      if (isDirect) await remote.confirm();
    },
    async confirm() {
      await submission?.confirm();
      signal.throwIfAborted();
      isSent = true;
    },
    async saveJob(remoteId) {
      const submittedAt = now();
      let isOurs = true;
      await retryWrite(deps, resultWriteTimeout, async () => {
        isOurs = await saveJobId(db, call, submissions, { remoteId, submittedAt: new Date(submittedAt) });
      });
      submission?.end();
      hasJob = true;
      if (!isOurs) return null;
      return { id: remoteId, submittedAt, charges };
    },
    async forgetJob() {
      await endJob(db, call, new Date(now()));
      hasJob = false;
    },
    download: (url, limit, signal) => outbound.get(url, { limit, signal, timeout: downloadTimeout }),
  };
  return {
    remote,
    hasJob: () => hasJob,
    async settle(outcome) {
      // The wait for a slot may have failed while the submission was being counted.
      await counting.catch(() => undefined);
      submission?.end();
      const at = new Date(now());
      const isRefused = outcome === 'free' || !isSent;
      await retryWrite(deps, settleTimeout, async () => {
        if (outcome === 'stored') await endJob(db, call, at);
        // The next attempt reads the result of an open job again.
        else if (submission && !hasJob) await endSubmission(db, call, { submissions, isRefused, now: at });
      }).catch(() => undefined);
    },
  };
}

/** Cancels the open jobs of an artwork at their providers. Logs failures, so an unreachable provider delays nothing. */
export async function cancelJobs({ db, catalogue, log, now }: Dependencies, artworkId: string): Promise<void> {
  // Embedded engines have no jobs, so most installations need no query here.
  if (![...catalogue.engines.values()].some(({ limits }) => limits)) return;
  const jobs = await findOpenJobs(db, artworkId);
  await Promise.all(
    jobs.map(async ({ artwork, call, engine: name, model, remoteId }) => {
      if (remoteId == null || !catalogue.engines.has(name)) return;
      try {
        const engine = await catalogue.engine(name);
        await engine.cancel?.(model, remoteId);
        await endJob(db, { artwork, call, engine: name }, new Date(now()));
      } catch (err) {
        log.warn({ err, artworkId, engine: name }, 'Could not cancel a job at its provider');
      }
    }),
  );
}

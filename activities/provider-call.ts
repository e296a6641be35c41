/** Connects an engine of a provider with the stored submissions and the job of its call. */
import { EngineError, type Remote } from '../engines/contract/index.ts';
import type { Job } from '../store/entities.ts';
import { type CallAtEngine, countSubmission, endJob, endSubmission, openJobId, saveJobId } from '../store/jobs.ts';
import { addObsoleteJob, discardJob } from '../store/obsolete-jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { downloadResult } from './download-result.ts';
import { resultWriteTimeout, retryWrite } from './retry-write.ts';
import { CallTaken, keepLease, leases, type SubmissionLease } from './submission-lease.ts';

/** Milliseconds for the write that settles a submission. */
const settleTimeout = 8000;

interface CallOptions {
  /** The name in the catalogue. */
  model: string;
  /** Milliseconds that the call may take. */
  timeout: number;
  /** Whether the response to the submission contains the result. */
  isDirect: boolean;
  /** Whether the provider can delete the copies of a job that has ended. */
  deletesCopies: boolean;
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
  { model, timeout, isDirect, deletesCopies, known, signal, submitSignal, acquire }: CallOptions,
): ProviderCall {
  const { db, decoder, now } = deps;
  const lease = isDirect ? leases.direct : leases.queue;
  let { submissions, charges } = known ?? { submissions: 0, charges: 0 };
  const id = openJobId(known);
  let jobId = id;
  let hasJob = id !== null;
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
    job:
      known && id !== null
        ? { id, submittedAt: known.submittedAt.getTime(), submittedTo: known.submittedTo ?? null, charges }
        : null,
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
    async saveJob({ id: remoteId, submittedTo, isShared }) {
      const submittedAt = now();
      let outcome: Awaited<ReturnType<typeof saveJobId>> = 'saved';
      await retryWrite(deps, resultWriteTimeout, async () => {
        const job = { remoteId, submittedAt: new Date(submittedAt), submittedTo };
        outcome = await saveJobId(db, call, submissions, job);
        // With a shared id, the attempt that took over the call has the same job.
        const isObsolete = outcome === 'ended' || (outcome === 'taken' && !isShared);
        if (isObsolete) await addObsoleteJob(db, { engine: call.engine, remoteId, model, submittedTo });
      });
      submission?.end();
      jobId = remoteId;
      hasJob = true;
      return outcome === 'saved' ? { id: remoteId, submittedAt, submittedTo, charges } : null;
    },
    async forgetJob() {
      await endJob(db, call, { now: new Date(now()), remoteId: jobId });
      hasJob = false;
    },
    async discardJob() {
      if (jobId !== null) await discardJob(db, call, { now: new Date(now()), isEnded: false, remoteId: jobId });
      hasJob = false;
    },
    download: (url, limit, signal) => downloadResult(deps, url, { engine: call.engine, limit, signal }),
    convertImage: (file, conversion, signal) => decoder.convert(file, conversion, signal),
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
        if (outcome === 'stored' && deletesCopies && jobId !== null)
          await discardJob(db, call, { now: at, isEnded: true, remoteId: jobId });
        else if (outcome === 'stored') await endJob(db, call, { now: at, remoteId: jobId });
        // The next attempt reads the result of an open job again.
        else if (submission && !hasJob) await endSubmission(db, call, { submissions, isRefused, now: at });
      }).catch(() => undefined);
    },
  };
}

/** Connects an engine of a provider with the stored job of its call, and cancels jobs that are no longer needed. */
import { EngineError, type Remote } from '../engines/contract/index.ts';
import { type CallAtEngine, countSubmission, endJob, findJob, findOpenJobs, saveJobId } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { resultWriteTimeout, retryWrite } from './retry-write.ts';

/** Milliseconds that the download of a result may take. */
const downloadTimeout = 120_000;

interface CallOptions {
  /** The name in the catalogue. */
  model: string;
  /** Milliseconds that the call may take. */
  timeout: number;
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
  /** The number of submissions so far. */
  submissions(): number;
  /** Whether the provider holds a job of the call, so that another engine would be paid for the same call. */
  hasJob(): boolean;
}

export async function openProviderCall(
  deps: Dependencies,
  call: CallAtEngine,
  { model, timeout, acquire }: CallOptions,
): Promise<ProviderCall> {
  const { db, outbound, now } = deps;
  const known = await findJob(db, call);
  let submissions = known?.submissions ?? 0;
  const id = known?.endedAt == null ? known?.remoteId : null;
  let hasJob = id != null;
  const remote: Remote = {
    job: known && id != null ? { id, submittedAt: known.submittedAt.getTime(), submissions } : null,
    timeout,
    now,
    async acquireSlot() {
      await acquire(async () => {
        submissions += 1;
        const isNeeded = await countSubmission(db, call, { model, submittedAt: new Date(now()), submissions });
        if (!isNeeded) throw new ArtworkEnded();
      });
    },
    async saveJob(remoteId) {
      hasJob = true;
      const submittedAt = now();
      await retryWrite(deps, resultWriteTimeout, () =>
        saveJobId(db, call, { remoteId, submittedAt: new Date(submittedAt) }),
      );
      return { id: remoteId, submittedAt, submissions };
    },
    async forgetJob() {
      await endJob(db, call, new Date(now()));
      hasJob = false;
    },
    download: (url, limit, signal) => outbound.get(url, { limit, signal, timeout: downloadTimeout }),
  };
  return { remote, submissions: () => submissions, hasJob: () => hasJob };
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

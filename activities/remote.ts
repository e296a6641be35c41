/** What an engine of a provider can rely on: the job that is kept for a call, and a guarded way to what answers name. */
import { EngineError, type Remote } from '../engines/contract/index.ts';
import { countSubmission, endJob, findJob, findOpenJobs, type CallAtEngine, saveJobId } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { patienceOfCalls, persistently } from './persistently.ts';

/** Milliseconds that the download of a result may take. */
const downloadTimeout = 120_000;

interface Asking {
  /** The catalogue's name. */
  model: string;
  /** Milliseconds that the call may take. */
  timeout: number;
  /** @param prepare done before the call may begin */
  enter(prepare: () => Promise<void>): Promise<void>;
}

/** While a call waited for its turn, its artwork has ended or was deleted. */
export class Unwanted extends EngineError {
  constructor() {
    super('internal_error', 'Nobody waits for this call any more');
  }
}

/** A call's standing with its provider. */
export interface Standing {
  remote: Remote;
  /** How often it was submitted. */
  submissions(): number;
  /** Whether a job of it is with the provider, so that to ask another would buy it again. */
  hasJob(): boolean;
}

export async function standingOf(
  deps: Dependencies,
  of: CallAtEngine,
  { model, timeout, enter }: Asking,
): Promise<Standing> {
  const { db, outbound, now } = deps;
  const known = await findJob(db, of);
  let submissions = known?.submissions ?? 0;
  const id = known?.endedAt == null ? known?.remoteId : null;
  let hasJob = id != null;
  const remote: Remote = {
    job: known && id != null ? { id, submittedAt: known.submittedAt.getTime(), submissions } : null,
    timeout,
    now,
    async acquireSlot() {
      await enter(async () => {
        submissions += 1;
        const isWanted = await countSubmission(db, of, { model, submittedAt: new Date(now()), submissions });
        if (!isWanted) throw new Unwanted();
      });
    },
    async saveJob(remoteId) {
      hasJob = true;
      const submittedAt = now();
      // This process alone knows it now.
      await persistently(deps, patienceOfCalls, () =>
        saveJobId(db, of, { remoteId, submittedAt: new Date(submittedAt) }),
      );
      return { id: remoteId, submittedAt, submissions };
    },
    async forgetJob() {
      await endJob(db, of, new Date(now()));
      hasJob = false;
    },
    download: (url, limit, signal) => outbound.get(url, { limit, signal, timeout: downloadTimeout }),
  };
  return { remote, submissions: () => submissions, hasJob: () => hasJob };
}

/**
 * Ends the jobs of an artwork whose results nobody waits for any more. As well as can be: a provider that
 * cannot be reached holds nobody up.
 */
export async function abandonJobs({ db, catalogue, log, now }: Dependencies, artworkId: string): Promise<void> {
  // Embedded engines have no jobs: every artwork comes by here, and most installations have no others.
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
        log.warn({ err, artworkId, engine: name }, 'a job could not be ended at its provider');
      }
    }),
  );
}

/** What an engine of a provider can rely on: the job that is kept for a call, and a guarded way to what answers name. */
import type { Remote } from '../engines/engine.ts';
import { endJob, findJob, findOpenJobs, type JobOf, keepJob } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds that the download of a result may take. */
const downloadTimeout = 120_000;

interface Asking {
  /** The catalogue's name. */
  model: string;
  /** Milliseconds that the call may take. */
  timeout: number;
  enter(): Promise<void>;
}

export async function remoteOf(deps: Dependencies, of: JobOf, { model, timeout, enter }: Asking): Promise<Remote> {
  const { db, outbound, now } = deps;
  const known = await findJob(db, of);
  const submissions = known?.submissions ?? 0;
  const isOpen = known && known.endedAt == null;
  const job = isOpen ? { id: known.remoteId, submittedAt: known.submittedAt.getTime(), submissions } : null;
  return {
    enter,
    job,
    timeout,
    now,
    async keep(id) {
      const kept = { id, submittedAt: now(), submissions: submissions + 1 };
      const row = { model, remoteId: id, submittedAt: new Date(kept.submittedAt), submissions: kept.submissions };
      await keepJob(db, of, row);
      return kept;
    },
    drop: () => endJob(db, of, new Date(now())),
    download: (url, limit, signal) => outbound.get(url, { limit, signal, timeout: downloadTimeout }),
  };
}

/**
 * Ends the jobs of an artwork whose results nobody waits for any more. As well as can be: a provider that
 * cannot be reached holds nobody up.
 */
export async function abandonJobs({ db, catalogue, log, now }: Dependencies, artworkId: string): Promise<void> {
  const jobs = await findOpenJobs(db, artworkId);
  await Promise.all(
    jobs.map(async ({ artwork, call, engine: name, model, remoteId }) => {
      if (!catalogue.engines.has(name)) return;
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

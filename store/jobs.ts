/** The submissions of calls to providers, and the jobs that providers have accepted. */
import type { Database } from './database.ts';
import { Job } from './entities.ts';

/** A call of an artwork at one engine. It has at most one open job. */
export interface CallAtEngine {
  engine: string;
  artwork: string;
  call: string;
}

export function findJob(db: Database, call: CallAtEngine): Promise<Job | null> {
  return db.em().findOne(Job, call);
}

/**
 * Counts a submission before it is sent, because a submission whose response is lost may still cost money.
 * @returns false when the artwork has ended or is deleted, so that the call must not be submitted
 */
export async function countSubmission(
  db: Database,
  { artwork, call, engine }: CallAtEngine,
  { model, submittedAt, submissions }: Pick<Job, 'model' | 'submittedAt' | 'submissions'>,
): Promise<boolean> {
  const { affectedRows } = await db.em().execute<{ affectedRows: number }>(
    `insert into job (artwork_id, call, engine, model, submitted_at, submissions)
     select id, ?, ?, ?, ?, ?
     from artwork
     where id = ? and finished_at is null and status <> 'ABANDONED'
     on conflict (artwork_id, call, engine) do update
     set
       model = excluded.model,
       submitted_at = excluded.submitted_at,
       submissions = excluded.submissions,
       remote_id = null,
       ended_at = null`,
    [call, engine, model, submittedAt, submissions, artwork],
    'run',
  );
  return affectedRows > 0;
}

/** Stores the provider's id for the job. */
export async function saveJobId(
  db: Database,
  call: CallAtEngine,
  job: Pick<Job, 'remoteId' | 'submittedAt'>,
): Promise<void> {
  await db.em().nativeUpdate(Job, call, job);
}

/** Marks a job as ended. The row stays, because it counts the submissions. */
export async function endJob(db: Database, call: CallAtEngine, now: Date): Promise<void> {
  await db.em().nativeUpdate(Job, call, { endedAt: now });
}

export function findOpenJobs(db: Database, artwork: string): Promise<Job[]> {
  return db.em().find(Job, { artwork, remoteId: { $ne: null }, endedAt: null });
}

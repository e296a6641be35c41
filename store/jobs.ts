/** What calls have submitted to providers, and the jobs that they have left there. */
import type { Database } from './database.ts';
import { Job } from './entities.ts';

/** A call of an artwork at an engine: it has one job at a time. */
export interface JobOf {
  artwork: string;
  call: string;
  engine: string;
}

export function findJob(db: Database, of: JobOf): Promise<Job | null> {
  return db.em().findOne(Job, of);
}

/**
 * Counts a submission before it is made: what never comes back may have been paid for all the same.
 * @returns false when its artwork has ended or is gone: then nobody wants it made
 */
export async function countSubmission(
  db: Database,
  { artwork, call, engine }: JobOf,
  { model, submittedAt, submissions }: Pick<Job, 'model' | 'submittedAt' | 'submissions'>,
): Promise<boolean> {
  const { affectedRows } = await db.em().execute<{ affectedRows: number }>(
    `insert into job (artwork_id, call, engine, model, submitted_at, submissions)
       select id, ?, ?, ?, ?, ? from artwork where id = ? and finished_at is null and status <> 'ABANDONED'
       on conflict (artwork_id, call, engine) do update set model = excluded.model, submitted_at = excluded.submitted_at,
         submissions = excluded.submissions, remote_id = null, ended_at = null`,
    [call, engine, model, submittedAt, submissions, artwork],
    'run',
  );
  return affectedRows > 0;
}

/** Keeps the id of the job that a submission has made. */
export async function keepJob(db: Database, of: JobOf, job: Pick<Job, 'remoteId' | 'submittedAt'>): Promise<void> {
  await db.em().nativeUpdate(Job, of, job);
}

/** Nothing is to be had of it any more. How many there were stays known. */
export async function endJob(db: Database, of: JobOf, now: Date): Promise<void> {
  await db.em().nativeUpdate(Job, of, { endedAt: now });
}

export function findOpenJobs(db: Database, artwork: string): Promise<Job[]> {
  return db.em().find(Job, { artwork, remoteId: { $ne: null }, endedAt: null });
}

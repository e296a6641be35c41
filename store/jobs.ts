/** What calls have submitted to providers, and the jobs that they have left there. */
import { type Database, isForeignKeyViolation } from './database.ts';
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
 * Counts a submission before it is made: what never comes back may have been paid for all the same. An artwork that is
 * purged meanwhile has no place for it.
 */
export async function countSubmission(
  db: Database,
  of: JobOf,
  job: Pick<Job, 'model' | 'submittedAt' | 'submissions'>,
) {
  try {
    await db.em().upsert(Job, { ...of, ...job, remoteId: null, endedAt: null });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
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

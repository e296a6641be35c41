/** The jobs that calls have left with providers. */
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

/** Keeps a job's id, in place of one that has ended. An artwork that is purged meanwhile has no place for it. */
export async function keepJob(
  db: Database,
  of: JobOf,
  job: Pick<Job, 'model' | 'remoteId' | 'submittedAt' | 'submissions'>,
): Promise<void> {
  try {
    await db.em().upsert(Job, { ...of, ...job, endedAt: null });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
}

/** Nothing is to be had of it any more. How many there were stays known. */
export async function endJob(db: Database, of: JobOf, now: Date): Promise<void> {
  await db.em().nativeUpdate(Job, of, { endedAt: now });
}

export function findOpenJobs(db: Database, artwork: string): Promise<Job[]> {
  return db.em().find(Job, { artwork, endedAt: null });
}

/** The failed attempts of calls, for the progress and the timeline of an artwork. */
import { type Database, isForeignKeyViolation } from './database.ts';
import { FailedAttempt } from './entities.ts';

/** Marks the failed attempts of a call as retried, when the next attempt reaches an engine. */
export async function markRetried(db: Database, call: { artwork: string; call: string }, now: Date): Promise<void> {
  await db.em().nativeUpdate(FailedAttempt, { ...call, retriedAt: null }, { retriedAt: now });
}

/** Stores a failed attempt. Does nothing when the artwork is deleted. */
export async function saveFailedAttempt(db: Database, failed: Omit<FailedAttempt, 'id'>): Promise<void> {
  try {
    await db.em().insert(FailedAttempt, failed);
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
}

/** Returns how many attempts of a call have failed with this code. */
export function countFailedAttempts(
  db: Database,
  failed: Pick<FailedAttempt, 'artwork' | 'call' | 'code'>,
): Promise<number> {
  return db.em().count(FailedAttempt, failed);
}

/** Returns failed attempts, oldest first. */
export function findFailedAttempts(db: Database, artwork: string): Promise<FailedAttempt[]> {
  return db.em().find(FailedAttempt, { artwork }, { orderBy: { id: 'asc' } });
}

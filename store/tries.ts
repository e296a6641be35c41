/** Tries of calls that came to nothing: what a client sees of an artwork that waits, and an operator of its past. */
import { type Database, isForeignKeyViolation } from './database.ts';
import { FailedTry } from './entities.ts';

/** A later try has got to an engine: nothing waits any more. */
export async function beginRetry(db: Database, of: { artwork: string; call: string }, now: Date): Promise<void> {
  await db.em().nativeUpdate(FailedTry, { ...of, retriedAt: null }, { retriedAt: now });
}

/** An artwork that is gone needs none. */
export async function saveFailedTry(db: Database, failed: Omit<FailedTry, 'id'>): Promise<void> {
  try {
    await db.em().insert(FailedTry, failed);
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
}

/** Oldest first. */
export function findFailedTries(db: Database, artwork: string): Promise<FailedTry[]> {
  return db.em().find(FailedTry, { artwork }, { orderBy: { id: 'asc' } });
}

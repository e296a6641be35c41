/** Tries of calls that came to nothing: what a client sees of an artwork that waits, and an operator of its past. */
import type { ErrorCode } from '../schemas/errors.ts';
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

/** Failures that may pass: their call is tried again. */
const passing: ErrorCode[] = ['provider_unavailable', 'provider_timeout'];

/** Whether one of an artwork's calls waits for an engine that is down, paused or busy. */
export async function waitsForProvider(db: Database, artwork: string): Promise<boolean> {
  return (await db.em().count(FailedTry, { artwork, retriedAt: null, code: { $in: passing } })) > 0;
}

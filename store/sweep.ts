/** Keeps tables small whose rows no workflow purges: verifies and folds the ledger, and deletes old rows. */
import type { Database } from './database.ts';
import { foldSlice } from './fold-ledger.ts';
import { deleteOldAudit, deleteOldUsage } from './old-rows.ts';
import { forgetSettled, verifySlice } from './verify-ledger.ts';

/** Maximum rows per transaction, which takes a fraction of a second. */
export const sweepSize = { verified: 10_000, folded: 2000, deleted: 2000 };

/**
 * Makes progress in small transactions until nothing is left to do. Each continues where the last one has ended, so a
 * sweep may stop at any time, and several processes may sweep at once.
 */
export async function sweep(db: Database, now: Date, signal: AbortSignal, size = sweepSize): Promise<void> {
  const work = [
    () => verifySlice(db, now, size.verified),
    () => foldSlice(db, now, size.folded),
    async () => (await deleteOldUsage(db, now, size.deleted)) === size.deleted,
    async () => (await deleteOldAudit(db, now, size.deleted)) === size.deleted,
  ];
  for (const step of work) while (!signal.aborted && (await step()));
  for (let last: string | null = ''; last !== null && !signal.aborted;)
    last = await forgetSettled(db, last, size.verified);
}

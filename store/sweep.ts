/** Verifies and folds the ledger, and deletes what no workflow purges: old rows, and secrets after their grace period. */
import type { Database } from './database.ts';
import { deletePreviousKeys } from './roll-key.ts';
import { forgetDestinations } from './destinations.ts';
import { foldSlice } from './fold-ledger.ts';
import { deleteOldAudit, deleteOldSeals, deleteOldUsage } from './old-rows.ts';
import { forgetSettled, verifySlice } from './verify-ledger.ts';
import { deleteExpiredSigningKeys } from './signing-keys.ts';
import { deleteExpiredSecrets } from './webhook-secrets.ts';

/** Maximum rows per transaction, which takes a fraction of a second. */
const sweepSize = { verified: 10_000, folded: 2000, deleted: 2000 };

/** Returns the steps of a sweep by name. Each is one transaction, and returns false when nothing is left to do. */
export const sweepSteps = (db: Database, now: Date, size = sweepSize) => ({
  'verify the ledger': () => verifySlice(db, now, size.verified),
  'fold old entries': () => foldSlice(db, now, size.folded),
  'delete old usage': async () => (await deleteOldUsage(db, now, size.deleted)) === size.deleted,
  'delete old audit entries': async () => (await deleteOldAudit(db, now, size.deleted)) === size.deleted,
  'delete old seals': async () => (await deleteOldSeals(db, now, size.deleted)) === size.deleted,
});

/**
 * Makes progress in small transactions until nothing is left to do. Each continues where the last one has ended, so a
 * sweep may stop at any time, and several processes may sweep at once.
 */
export async function sweep(db: Database, now: Date, signal: AbortSignal, size = sweepSize): Promise<void> {
  // There are at most two per organization, one per key, and a thousand per organization.
  await deleteExpiredSecrets(db, now);
  await deleteExpiredSigningKeys(db, now);
  await deletePreviousKeys(db, now);
  await forgetDestinations(db, now);
  for (const step of Object.values(sweepSteps(db, now, size))) while (!signal.aborted && (await step()));
  for (let last: string | null = ''; last !== null && !signal.aborted;)
    last = await forgetSettled(db, last, size.verified);
}

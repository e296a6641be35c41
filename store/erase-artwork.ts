/** Reduces an artwork to a tombstone until its workflow has ended: a row without client data. */
import { LockMode } from '@mikro-orm/postgresql';
import { isSettled, settle } from './credits.ts';
import type { Database } from './database.ts';
import { Artwork, CallMessage, CallResult, Delivery, DueDelivery, FailedAttempt, Image, Job } from './entities.ts';
import { discardJobs } from './obsolete-jobs.ts';

/** Values that overwrite all columns with data of a client. */
const tombstone = {
  status: 'ABANDONED',
  errorCode: null,
  errorMessage: null,
  failures: null,
  input: {},
  plan: null,
  prompt: null,
  metadata: {},
  webhookUrl: null,
  requestId: null,
  eventId: null,
  eventBody: null,
  idempotencyKey: null,
  requestDigest: null,
  styleDnaId: null,
  reserved: 0,
  tariff: null,
  charged: 0,
} as const;

/**
 * Erases an artwork and releases an open reservation. The tombstone blocks everything that arrives later: results,
 * endings and deliveries are stored only for rows that are not tombstones. Does nothing if there is no row, or only a
 * claim or a tombstone.
 */
export async function eraseArtwork(db: Database, id: string, now: Date): Promise<void> {
  await db.em().transactional(async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const artwork = await em.findOne(Artwork, { id, status: { $ne: 'ABANDONED' } }, { lockMode });
    if (!artwork) return;
    if (artwork.reserved > 0 && !(await isSettled(em, id))) await settle(em, artwork, 0, now);
    await em.nativeDelete(Image, { artwork: id });
    await em.nativeDelete(CallResult, { artwork: id });
    await em.nativeDelete(CallMessage, { artwork: id });
    await em.nativeDelete(FailedAttempt, { artwork: id });
    await em.nativeDelete(Delivery, { artwork: id });
    await em.nativeDelete(DueDelivery, { artwork: id });
    await discardJobs(em, id, now);
    await em.nativeDelete(Job, { artwork: id });
    await em.nativeUpdate(Artwork, { id }, tombstone);
  });
}

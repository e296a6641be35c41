/** What is left of a deleted artwork until its workflow has ended: its id, and jobs that providers are still to be told of. */
import { LockMode } from '@mikro-orm/postgresql';
import { isSettled, settle } from './credits.ts';
import type { Database } from './database.ts';
import { Artwork, CallMessage, CallResult, Delivery, FailedTry, Image, Job } from './entities.ts';

/** All that a client could read or that names anything of a client. */
const blank = {
  status: 'ABANDONED',
  ...{ errorCode: null, errorMessage: null, failures: null },
  ...{ input: {}, plan: null, prompt: null, metadata: {}, webhookUrl: null, eventId: null, eventBody: null },
  ...{ idempotencyKey: null, requestDigest: null, styleDnaId: null, reserved: 0, tariff: null, charged: 0 },
} as const;

/**
 * Takes everything from an artwork but its id, so that nothing late brings it back: results, ends and tries to deliver
 * need a row that is no tombstone. A reservation that is still open is given back. One that is gone stays gone.
 */
export async function buryArtwork(db: Database, id: string, now: Date): Promise<void> {
  await db.em().transactional(async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const artwork = await em.findOne(Artwork, { id, status: { $ne: 'ABANDONED' } }, { lockMode });
    if (!artwork) return;
    if (artwork.reserved > 0 && !(await isSettled(em, id))) await settle(em, artwork, 0, now);
    await em.nativeDelete(Image, { artwork: id });
    await em.nativeDelete(CallResult, { artwork: id });
    await em.nativeDelete(CallMessage, { artwork: id });
    await em.nativeDelete(FailedTry, { artwork: id });
    await em.nativeDelete(Delivery, { artwork: id });
    await em.nativeDelete(Job, { artwork: id, endedAt: { $ne: null } });
    await em.nativeUpdate(Artwork, { id }, blank);
  });
}

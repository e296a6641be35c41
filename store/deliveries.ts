/** Every try to deliver a webhook, and what is changed about those to come. */
import type { Database } from './database.ts';
import { Artwork, Delivery } from './entities.ts';

/**
 * Keeps a try; one that a crash made to run twice keeps its last answer. An artwork that is gone needs none. One
 * statement, so that a try which was recorded in the moment of a crash is not made again.
 */
export async function saveDelivery(db: Database, delivery: Delivery): Promise<void> {
  const { artwork, attempt, at, url, status, error, durationMs, nextAt } = delivery;
  await db.em().execute(
    `insert into "delivery" (artwork_id, attempt, at, url, status, error, duration_ms, next_at)
     select id, ?::int, ?::timestamptz, ?, ?::int, ?, ?::int, ?::timestamptz
     from artwork where id = ? and status <> 'ABANDONED' for share
     on conflict (artwork_id, attempt) do update set at = excluded.at, url = excluded.url, status = excluded.status,
       error = excluded.error, duration_ms = excluded.duration_ms, next_at = excluded.next_at`,
    [
      ...[attempt, at.toISOString(), url, status ?? null, error ?? null, durationMs],
      ...[nextAt?.toISOString() ?? null, artwork],
    ],
  );
}

export function findDelivery(db: Database, artworkId: string, attempt: number): Promise<Delivery | null> {
  return db.em().findOne(Delivery, { artwork: artworkId, attempt });
}

export function findDeliveries(db: Database, artworkId: string): Promise<Delivery[]> {
  return db.em().find(Delivery, { artwork: artworkId }, { orderBy: { attempt: 'asc' } });
}

/** Whether another try to deliver the event of an artwork will come by itself. */
export async function hasTriesLeft(db: Database, { id, webhookUrl, finishedAt }: Artwork): Promise<boolean> {
  if (webhookUrl == null) return false;
  if (!finishedAt) return true;
  const last = await db.em().findOne(Delivery, { artwork: id }, { orderBy: { attempt: 'desc' } });
  return !last || last.nextAt != null;
}

/** The tries to come go there. An artwork that is gone, or has nobody to tell, stays as it is. */
export async function changeWebhookUrl(db: Database, id: string, webhookUrl: string): Promise<void> {
  const told = { id, status: { $ne: 'ABANDONED' as const }, webhookUrl: { $ne: null } };
  await db.em().nativeUpdate(Artwork, told, { webhookUrl });
}

export async function countRedelivery(db: Database, id: string): Promise<void> {
  await db.em().execute('update artwork set redeliveries = redeliveries + 1 where id = ?', [id]);
}

/** Redeliveries of one event at most: a workflow takes so many signals and tries without getting too long. */
export const mostRedeliveries = 100;

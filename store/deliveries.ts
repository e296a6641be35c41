/** The delivery attempts of webhooks, and changes to the attempts that follow. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Author, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { Artwork, Delivery } from './entities.ts';

/**
 * Stores a delivery attempt; if a crash has repeated an attempt, the last response replaces the first. Does nothing when
 * the artwork is deleted. It is one statement, so a crash cannot leave half of it behind.
 * @returns whether the event was due until this attempt, and no other attempt follows
 */
export async function saveDelivery(db: Database, delivery: Delivery): Promise<boolean> {
  const { artwork, attempt, at, url, status = null, error = null, durationMs, nextAt } = delivery;
  const ended = await db.em().execute<unknown[]>(
    `with stored as (
       insert into "delivery" (artwork_id, attempt, at, url, status, error, duration_ms, next_at)
       select id, ?::int, ?::timestamptz, ?, ?::int, ?, ?::int, ?::timestamptz
       from artwork
       where id = ? and status <> 'ABANDONED'
       for share
       on conflict (artwork_id, attempt) do update
       set
         at = excluded.at,
         url = excluded.url,
         status = excluded.status,
         error = excluded.error,
         duration_ms = excluded.duration_ms,
         next_at = excluded.next_at
       returning artwork_id, next_at
     ), postponed as (
       update due_delivery due
       set due_at = stored.next_at
       from stored
       where due.artwork_id = stored.artwork_id and stored.next_at is not null
     )
     delete from due_delivery due
     using stored
     where due.artwork_id = stored.artwork_id and stored.next_at is null
     returning due.artwork_id`,
    [attempt, at.toISOString(), url, status, error, durationMs, nextAt?.toISOString() ?? null, artwork],
  );
  return ended.length > 0;
}

export function findDelivery(db: Database, artworkId: string, attempt: number): Promise<Delivery | null> {
  return db.em().findOne(Delivery, { artwork: artworkId, attempt });
}

export function findDeliveries(db: Database, artworkId: string): Promise<Delivery[]> {
  return db.em().find(Delivery, { artwork: artworkId }, { orderBy: { attempt: 'asc' } });
}

/** Returns whether another delivery of the artwork's event is scheduled. */
export async function hasAttemptsLeft(db: Database, { id, webhookUrl, finishedAt }: Artwork): Promise<boolean> {
  if (webhookUrl == null) return false;
  if (!finishedAt) return true;
  const last = await db.em().findOne(Delivery, { artwork: id }, { orderBy: { attempt: 'desc' } });
  return !last || last.nextAt != null;
}

/** The author of a change to an artwork, for the audit log, with its organization and its time. */
interface Authorship {
  author: Author;
  org: string;
  at: Date;
}

/** Changes the URL of all later attempts, unless the artwork is deleted or has no webhook. */
export function changeWebhookUrl(
  db: Database,
  id: string,
  webhookUrl: string,
  { author, org, at }: Authorship,
): Promise<void> {
  return db.em().transactional(async (em) => {
    const hasWebhook = { id, status: { $ne: 'ABANDONED' as const }, webhookUrl: { $ne: null } };
    if ((await em.nativeUpdate(Artwork, hasWebhook, { webhookUrl })) === 0) return;
    // Only the name, because the URL must not outlive the artwork.
    const changes = { fields: ['webhookUrl'] };
    await recordChange(em, author, { org, action: 'artwork.updated', target: id, changes, at });
  });
}

/** Counts and records a redelivery, unless the artwork has had `limit` of them. Returns whether it was counted. */
export function requestRedelivery(
  db: Database,
  id: string,
  limit: number,
  { author, org, at }: Authorship,
): Promise<boolean> {
  return db.em().transactional(async (em) => {
    if (!(await count(em, id, limit))) return false;
    await recordChange(em, author, { org, action: 'artwork.redelivered', target: id, changes: {}, at });
    return true;
  });
}

/** Counts a redelivery, unless the artwork has had `limit` of them. Returns whether it was counted. */
export function countRedelivery(db: Database, id: string, limit: number): Promise<boolean> {
  return count(db.em(), id, limit);
}

async function count(em: EntityManager, id: string, limit: number): Promise<boolean> {
  const { affectedRows } = await em.execute<{ affectedRows: number }>(
    `update artwork
     set redeliveries = redeliveries + 1
     where id = ? and redeliveries < ?`,
    [id, limit],
    'run',
  );
  return affectedRows > 0;
}

/** Takes back the count of a redelivery that no workflow has confirmed. */
export async function takeBackRedelivery(db: Database, id: string): Promise<void> {
  await db.em().execute(
    `update artwork
     set redeliveries = redeliveries - 1
     where id = ? and redeliveries > 0`,
    [id],
  );
}

/** A limit that no artwork reaches: the largest number that the column can hold. */
export const unlimitedRedeliveries = 2_147_483_647;

/** Maximum redeliveries of one event, so that their signals and attempts fit into the workflow's history. */
export const maxRedeliveries = 100;

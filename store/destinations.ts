/** Destinations of webhooks that fail, and the pause of those that fail for long. */
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../schemas/access.ts';
import { type Author, recordChange, service } from './audit.ts';
import type { Database } from './database.ts';
import { FailingDestination } from './entities.ts';

/** A receiver of the events of an organization's live or test artworks. */
export interface Destination {
  /** `dst_` and a digest of the other fields. The audit log and log lines contain it instead of the URL. */
  id: string;
  org: string;
  environment: Environment;
  /** Without its query, which often contains ids or tokens. */
  url: string;
}

/** Fewer failures do not pause a destination, however long ago the first one was. */
const minFailures = 5;
/** Milliseconds without an attempt after which the count begins again. The longest wait of the schedule is a day. */
const longestGap = 2 * 86_400_000;
/** Milliseconds between two attempts to a paused destination. */
const probeInterval = 10 * 60_000;
/** Maximum failing destinations of an organization. Further ones are not recorded, and not paused. */
const maxDestinations = 1000;

/** Returns the destination of an artwork's events. */
export function destinationOf(artwork: { org: string; environment: Environment; webhookUrl: string }): Destination {
  const { org, environment } = artwork;
  const { origin, pathname } = new URL(artwork.webhookUrl);
  const url = origin + pathname;
  const digest = createHash('sha256').update([org, environment, url].join(' ')).digest('hex');
  return { id: `dst_${digest.slice(0, 26)}`, org, environment, url };
}

/** @returns null when the last delivery has succeeded, or there was none */
export function findFailing(db: Database, id: string): Promise<FailingDestination | null> {
  return db.em().findOne(FailingDestination, { id });
}

/** Returns failing destinations in the order of their ids. @param page `after`: the last id of the previous page */
export function listFailing(
  db: Database,
  owner: { org: string; environment?: Environment },
  page: { limit: number; after: string | null },
): Promise<FailingDestination[]> {
  const { limit, after } = page;
  const where = { ...owner, ...(after !== null && { id: { $gt: after } }) };
  return db.em().find(FailingDestination, where, { orderBy: { id: 'asc' }, limit });
}

export interface Failure {
  /** The id of the artwork. Nothing is recorded once it is deleted, because its address must not outlive it. */
  artwork: string;
  error: string;
  now: Date;
  /** When the artwork expires. */
  expiresAt: Date;
  /** Milliseconds of failures after which a destination is paused; null: never. */
  pauseAfter: number | null;
}

/** Records a failed attempt. Returns whether it has paused the destination. */
export function recordFailure(db: Database, destination: Destination, failure: Failure): Promise<boolean> {
  const { id, org } = destination;
  return db.em().transactional(async (em) => {
    await countFailure(em, destination, failure);
    const failingSince = failure.pauseAfter !== null && (await pause(em, id, failure.now, failure.pauseAfter));
    if (!failingSince) return false;
    const changes = { failingSince, lastError: failure.error };
    await recordChange(em, service, {
      org,
      action: 'webhook_destination.paused',
      target: id,
      changes,
      at: failure.now,
    });
    return true;
  });
}

async function countFailure(em: EntityManager, destination: Destination, failure: Failure): Promise<void> {
  const { id, org, environment, url } = destination;
  const { artwork, error, now, expiresAt } = failure;
  await em.nativeDelete(FailingDestination, { id, lastFailedAt: { $lt: new Date(now.getTime() - longestGap) } });
  await em.execute(
    `insert into failing_destination as known
       (id, org_id, environment, url, failing_since, last_failed_at, failures, last_error, expires_at)
     select ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, 1, ?, ?::timestamptz
     where
       exists (select from artwork where id = ? and status <> 'ABANDONED')
       and (
         exists (select from failing_destination where id = ?)
         or (select count(*) from failing_destination where org_id = ?) < ?
       )
     on conflict (id) do update
     set
       failures = known.failures + 1,
       last_failed_at = excluded.last_failed_at,
       last_error = excluded.last_error,
       expires_at = greatest(known.expires_at, excluded.expires_at)`,
    [
      ...[id, org, environment, url, now.toISOString(), now.toISOString(), error, expiresAt.toISOString()],
      ...[artwork, id, org, maxDestinations],
    ],
  );
}

/** Pauses a destination that has failed for long enough. Returns since when, or undefined. */
async function pause(em: EntityManager, id: string, now: Date, pauseAfter: number): Promise<Date | undefined> {
  const [row] = await em.execute<{ failingSince: string }[]>(
    `update failing_destination
     set paused_at = ?::timestamptz, probe_at = ?::timestamptz
     where id = ? and paused_at is null and failing_since <= ?::timestamptz and failures >= ?
     returning failing_since as "failingSince"`,
    [now.toISOString(), before(now, -probeInterval), id, before(now, pauseAfter), minFailures],
  );
  return row && new Date(row.failingSince);
}

const before = (now: Date, milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();

/** Claims the one attempt that may be made to a paused destination now. Returns whether an attempt may be made. */
export async function claimProbe(db: Database, id: string, now: Date): Promise<boolean> {
  const probeAt = new Date(now.getTime() + probeInterval);
  if ((await db.em().nativeUpdate(FailingDestination, { id, probeAt: { $lte: now } }, { probeAt })) > 0) return true;
  // A success or a resumption may have ended the pause meanwhile.
  return (await findFailing(db, id))?.pausedAt == null;
}

/** Lets the next attempt to a paused destination be made, after one that was claimed but not made. */
export async function returnProbe(db: Database, id: string, now: Date): Promise<void> {
  await db.em().nativeUpdate(FailingDestination, { id, pausedAt: { $ne: null } }, { probeAt: now });
}

/** Identifies a destination. Without an environment, it may be of either. */
type Named = Pick<Destination, 'id' | 'org'> & { environment?: Environment };

/**
 * Forgets the failures of a destination, which ends its pause. Returns whether it was failing.
 * @param author the author of the resumption in the audit log
 */
export function resume(db: Database, named: Named, now: Date, author: Author = service): Promise<boolean> {
  const { id, org, environment } = named;
  return db.em().transactional(async (em) => {
    const [row] = await em.execute<{ pausedAt: string | null }[]>(
      `delete from failing_destination
       where id = ? and org_id = ? and environment = coalesce(?, environment)
       returning paused_at as "pausedAt"`,
      [id, org, environment ?? null],
    );
    if (!row) return false;
    if (row.pausedAt !== null) {
      const changes = { pausedAt: { from: new Date(row.pausedAt), to: null } };
      const action = 'webhook_destination.resumed' as const;
      await recordChange(em, author, { org, action, target: id, changes, at: now });
    }
    return true;
  });
}

/** Deletes destinations whose artworks have expired, because an address must not outlive them. */
export async function forgetDestinations(db: Database, now: Date): Promise<void> {
  await db.em().nativeDelete(FailingDestination, { expiresAt: { $lte: now } });
}

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
  error: string;
  now: Date;
  /** When the artwork expires whose delivery has failed. */
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
  const { error, now, expiresAt } = failure;
  await em.execute(
    `insert into failing_destination as known
       (id, org_id, environment, url, failing_since, last_failed_at, failures, last_error, expires_at)
     select ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, 1, ?, ?::timestamptz
     where
       exists (select from failing_destination where id = ?)
       or (select count(*) from failing_destination where org_id = ?) < ?
     on conflict (id) do update
     set
       failing_since = case when known.last_failed_at < ?::timestamptz then excluded.failing_since else known.failing_since end,
       failures = case when known.last_failed_at < ?::timestamptz then 1 else known.failures + 1 end,
       last_failed_at = excluded.last_failed_at,
       last_error = excluded.last_error,
       expires_at = greatest(known.expires_at, excluded.expires_at)`,
    [
      ...[id, org, environment, url, now.toISOString(), now.toISOString(), error, expiresAt.toISOString()],
      ...[id, org, maxDestinations],
      ...[before(now, longestGap), before(now, longestGap)],
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

/**
 * Forgets the failures of a destination, which ends its pause. Returns whether it was failing.
 * @param author the author of the resumption in the audit log
 */
export function resume(
  db: Database,
  { id, org, environment }: Pick<Destination, 'id' | 'org'> & { environment?: Environment },
  now: Date,
  author: Author = service,
): Promise<boolean> {
  return db.em().transactional(async (em) => {
    const row = await em.findOne(FailingDestination, { id, org, ...(environment && { environment }) });
    if (!row || (await em.nativeDelete(FailingDestination, { id })) === 0) return false;
    if (row.pausedAt) {
      const changes = { pausedAt: { from: row.pausedAt, to: null } };
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

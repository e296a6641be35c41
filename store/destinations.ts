/** Destinations of webhooks that fail, and the pause of those that fail for long. */
import { createHash } from 'node:crypto';
import { type Author, recordChange, service } from './audit.ts';
import type { Database } from './database.ts';
import { FailingDestination } from './entities.ts';

/** The receiver of an organization's events, for all paths: protocol, host and port of the URL. */
export interface Destination {
  org: string;
  origin: string;
}

/** Fewer failures do not pause a destination, however long ago the first one was. */
const minFailures = 5;
/** Milliseconds between two attempts to a paused destination. */
const probeInterval = 10 * 60_000;
/** Maximum failing destinations of an organization. Further ones are not recorded, and not paused. */
const maxDestinations = 1000;

/** Returns the id of a destination, which the audit log and log lines contain instead of its address. */
export function destinationId({ org, origin }: Destination): string {
  return `dst_${createHash('sha256').update(`${org} ${origin}`).digest('hex').slice(0, 26)}`;
}

/** @returns null when the last delivery has succeeded, or there was none */
export function findFailing(db: Database, { org, origin }: Destination): Promise<FailingDestination | null> {
  return db.em().findOne(FailingDestination, { org, origin });
}

/** Returns failing destinations, ordered by origin. @param after the last origin of the previous page */
export function listFailing(
  db: Database,
  org: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<FailingDestination[]> {
  const where = { org, ...(after !== null && { origin: { $gt: after } }) };
  return db.em().find(FailingDestination, where, { orderBy: { origin: 'asc' }, limit });
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
  const { org, origin } = destination;
  const { error, now, expiresAt, pauseAfter } = failure;
  const failingSince = pauseAfter === null ? null : new Date(now.getTime() - pauseAfter).toISOString();
  const at = now.toISOString();
  return db.em().transactional(async (em) => {
    const [row] = await em.execute<{ isPausedNow: boolean; failingSince: string }[]>(
      `insert into failing_destination as known
         (org_id, origin, failing_since, last_failed_at, failures, last_error, expires_at)
       select ?, ?, ?::timestamptz, ?::timestamptz, 1, ?, ?::timestamptz
       where
         exists (select 1 from failing_destination where org_id = ? and origin = ?)
         or (select count(*) from failing_destination where org_id = ?) < ?
       on conflict (org_id, origin) do update
       set
         last_failed_at = excluded.last_failed_at,
         failures = known.failures + 1,
         last_error = excluded.last_error,
         expires_at = greatest(known.expires_at, excluded.expires_at),
         paused_at = coalesce(
           known.paused_at,
           case when known.failing_since <= ?::timestamptz and known.failures + 1 >= ? then excluded.last_failed_at end
         ),
         probe_at = coalesce(
           known.probe_at,
           case when known.failing_since <= ?::timestamptz and known.failures + 1 >= ? then ?::timestamptz end
         )
       returning
         failing_since as "failingSince",
         coalesce(paused_at = last_failed_at, false) as "isPausedNow"`,
      [
        ...[org, origin, at, at, error, expiresAt.toISOString(), org, origin, org, maxDestinations],
        ...[
          failingSince,
          minFailures,
          failingSince,
          minFailures,
          new Date(now.getTime() + probeInterval).toISOString(),
        ],
      ],
    );
    if (!row?.isPausedNow) return false;
    const changes = { failingSince: new Date(row.failingSince), lastError: error };
    const action = 'webhook_destination.paused' as const;
    await recordChange(em, service, { org, action, target: destinationId(destination), changes, at: now });
    return true;
  });
}

/** Claims the one attempt that may be made to a paused destination now. Returns false until the next one is due. */
export async function claimProbe(db: Database, { org, origin }: Destination, now: Date): Promise<boolean> {
  const next = new Date(now.getTime() + probeInterval);
  const due = { org, origin, probeAt: { $lte: now } };
  return (await db.em().nativeUpdate(FailingDestination, due, { probeAt: next })) > 0;
}

/** Lets the next attempt to a paused destination be made. Does nothing when the destination is not paused. */
export async function allowProbe(db: Database, { org, origin }: Destination, now: Date): Promise<void> {
  await db.em().nativeUpdate(FailingDestination, { org, origin, pausedAt: { $ne: null } }, { probeAt: now });
}

/** Forgets the failures of a destination, and ends its pause. Returns whether it was failing. @param author of the resumption */
export function resume(db: Database, destination: Destination, now: Date, author: Author = service): Promise<boolean> {
  const { org, origin } = destination;
  return db.em().transactional(async (em) => {
    const [row] = await em.execute<{ pausedAt: string | null }[]>(
      `delete from failing_destination
       where org_id = ? and origin = ?
       returning paused_at as "pausedAt"`,
      [org, origin],
    );
    if (row?.pausedAt) {
      const changes = { pausedAt: { from: new Date(row.pausedAt), to: null } };
      const action = 'webhook_destination.resumed' as const;
      await recordChange(em, author, { org, action, target: destinationId(destination), changes, at: now });
    }
    return row !== undefined;
  });
}

/** Deletes destinations whose artworks have expired, because an address must not outlive them. */
export async function forgetDestinations(db: Database, now: Date): Promise<void> {
  await db.em().nativeDelete(FailingDestination, { expiresAt: { $lte: now } });
}

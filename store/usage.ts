/** What organizations have used: sums by day, operation and key, which outlive the artworks. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Span } from '../schemas/days.ts';
import type { UsageItem } from '../schemas/usage.ts';
import type { Database } from './database.ts';

export interface Used {
  key: string;
  /** UTC: `2026-11-21`. */
  day: string;
  /** Null for requests that are no creation. */
  operation: string | null;
  requests?: number;
  artworks?: number;
  credits?: number;
}

/**
 * Adds to the sums, in the caller's transaction and as its last statement: the rows of busy keys stay locked until it
 * ends. What is of keys that are gone is left out.
 */
export async function addUsage(em: EntityManager, used: readonly Used[]): Promise<void> {
  if (used.length === 0) return;
  const values = used.map(() => '(?::date, ?, ?, ?::bigint, ?::bigint, ?::bigint)').join(', ');
  // In one order everywhere, so that two who add at once do not wait for each other in a circle.
  await em.execute(
    `insert into "usage" (org_id, day, operation, key_id, requests, artworks, credits)
     select key.org_id, used.* from (values ${values}) as used (day, operation, key_id, requests, artworks, credits)
     join api_key key on key.id = used.key_id order by 1, 2, 3, 4
     on conflict (org_id, day, operation, key_id) do update set requests = "usage".requests + excluded.requests,
     artworks = "usage".artworks + excluded.artworks, credits = "usage".credits + excluded.credits`,
    used.flatMap(({ day, operation, key, requests = 0, artworks = 0, credits = 0 }) => [
      ...[day, operation ?? '', key],
      ...[requests, artworks, credits],
    ]),
    'run',
  );
}

/** What a process has counted in its memory. */
export interface Counted extends Used {
  requests: number;
  artworks: number;
  lastUsedAt: Date;
}

/** Adds to the keys' own counts and to the sums, all or nothing. */
export async function saveCounts(db: Database, counted: readonly Counted[]): Promise<void> {
  await db.em().transactional(async (em) => {
    const values = counted.map(() => '(?, ?::bigint, ?::timestamptz)').join(', ');
    await em.execute(
      `with used as (
         select id, sum(requests) as requests, max(at) as at from (values ${values}) as one (id, requests, at) group by id
       ), locked as (
         select id from api_key where id in (select id from used) order by id for no key update
       )
       update api_key set usage_count = usage_count + used.requests, last_used_at = greatest(last_used_at, used.at)
       from used join locked using (id) where api_key.id = used.id`,
      counted.flatMap(({ key, requests, lastUsedAt }) => [key, requests, lastUsedAt]),
      'run',
    );
    await addUsage(em, counted);
  });
}

/** Where a page begins: after this item. */
export type UsagePosition = Pick<UsageItem, 'date' | 'operation' | 'keyId'>;

/** Newest day first, and by operation and key within a day. */
export async function listUsage(
  db: Database,
  orgId: string,
  { from, to }: Span,
  { limit, after }: { limit: number; after: UsagePosition | null },
): Promise<UsageItem[]> {
  const rows = await db.em().execute<(Omit<UsageItem, 'operation'> & { operation: string })[]>(
    `select to_char(day, 'YYYY-MM-DD') as date, operation, key_id as "keyId", ${sums}
     from "usage" where org_id = ? and day between ?::date and ?::date
     ${after ? 'and (day < ?::date or day = ?::date and (operation, key_id) > (?, ?))' : ''}
     order by day desc, operation, key_id limit ?`,
    [orgId, from, to, ...(after ? [after.date, after.date, after.operation ?? '', after.keyId] : []), limit],
  );
  return rows.map((row) => ({ ...row, operation: row.operation || null }));
}

const sums = 'requests::float8, artworks::float8, credits::float8';

export type UsageTotals = Pick<UsageItem, 'requests' | 'artworks' | 'credits'>;

export async function sumUsage(db: Database, orgId: string, { from, to }: Span): Promise<UsageTotals> {
  const sum = (name: string) => `coalesce(sum(${name}), 0)::float8 as ${name}`;
  const [totals] = await db
    .em()
    .execute<[UsageTotals]>(
      `select ${['requests', 'artworks', 'credits'].map(sum).join(', ')} from "usage" where org_id = ? and day between ?::date and ?::date`,
      [orgId, from, to],
    );
  return totals;
}

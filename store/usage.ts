/** Counts the usage of organizations: sums by day, operation and API key, which remain when artworks are purged. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';

/** The API key, day and operation of a sum. */
interface UsageKey {
  key: string;
  /** UTC: `2026-11-21`. */
  day: string;
  /** Null for requests that create nothing. */
  operation: string | null;
}

/** Requests that a process has counted in memory. */
export interface CountedUsage extends UsageKey {
  requests: number;
  artworks: number;
  lastUsedAt: Date;
}

/** Counts that one statement adds at most once. */
export interface UsageBatch {
  /** Unique for each process. */
  counter: string;
  /** Increases with each batch of the counter. */
  number: number;
  counts: readonly CountedUsage[];
}

/**
 * Adds the counts of a batch to the keys and to the sums, and ignores deleted keys. Adds nothing if the batch or a later
 * one of the same counter was added before, so a batch whose response was lost can be repeated. It is one statement, so
 * it succeeds or fails as a whole, and a frozen process holds no locks. It locks keys before sums, each in a fixed order,
 * to avoid deadlocks.
 */
export async function saveCounts(db: Database, { counter, number, counts }: UsageBatch): Promise<void> {
  const values = counts.map(() => '(?, ?::date, ?, ?::bigint, ?::bigint, ?::timestamptz)').join(', ');
  await db
    .em()
    .getConnection()
    .execute(
      `with batch as (
         insert into usage_batch (counter, number, saved_at)
         values (?, ?::bigint, now())
         on conflict (counter) do update
         set number = excluded.number, saved_at = excluded.saved_at
         where usage_batch.number < excluded.number
         returning 1
       ),
       used as (
         select *
         from (values ${values}) as counts (key_id, day, operation, requests, artworks, at)
         where exists (select from batch)
       ),
       by_key as (
         select key_id, sum(requests) as requests, max(at) as at
         from used
         group by key_id
       ),
       locked as (
         select id
         from api_key
         where id in (select key_id from by_key)
         order by id
         for no key update
       ),
       counted as (
         update api_key
         set
           usage_count = usage_count + by_key.requests,
           last_used_at = greatest(last_used_at, by_key.at)
         from by_key
         join locked on locked.id = by_key.key_id
         where api_key.id = by_key.key_id
         returning api_key.id, api_key.org_id
       )
       insert into "usage" (org_id, day, operation, key_id, requests, artworks, credits)
       select org_id, day, operation, key_id, requests, artworks, 0
       from used
       join counted on counted.id = used.key_id
       order by 1, 2, 3, 4
       on conflict (org_id, day, operation, key_id) do update
       set
         requests = "usage".requests + excluded.requests,
         artworks = "usage".artworks + excluded.artworks`,
      [
        counter,
        number,
        ...counts.flatMap(({ key, day, operation, requests, artworks, lastUsedAt }) => [
          ...[key, day, operation ?? '', requests, artworks],
          lastUsedAt,
        ]),
      ],
      'run',
    );
}

/** Forgets the batches of counters that have ended. A week later, no statement of theirs can still run. */
export async function forgetOldBatches(db: Database): Promise<void> {
  await db
    .em()
    .getConnection()
    .execute(`delete from usage_batch where saved_at < now() - interval '7 days'`, [], 'run');
}

/**
 * Adds charged credits to a sum, in the transaction that charges them and after the update of the key's row. The row of
 * the sum stays locked until the transaction ends.
 */
export async function addCredits(
  em: EntityManager,
  { key, day, operation, credits }: UsageKey & { credits: number },
): Promise<void> {
  await em.execute(
    `insert into "usage" (org_id, day, operation, key_id, requests, artworks, credits)
     select org_id, ?::date, ?, id, 0, 0, ?::bigint
     from api_key
     where id = ?
     on conflict (org_id, day, operation, key_id) do update
     set credits = "usage".credits + excluded.credits`,
    [day, operation ?? '', credits, key],
    'run',
  );
}

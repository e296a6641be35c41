/** Reads the usage of organizations in pages, with the totals of all pages. */
import { type EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import type { Environment } from '../schemas/access.ts';
import type { Span } from '../schemas/days.ts';
import type { UsageItem } from '../schemas/usage.ts';
import type { Database } from './database.ts';
import { arrayLiteral } from './newest-artworks.ts';

/** The last item of the previous page. */
export type UsagePosition = Pick<UsageItem, 'date' | 'operation' | 'keyId'>;

export type UsageTotals = Pick<UsageItem, 'requests' | 'artworks' | 'credits'>;

interface Page {
  limit: number;
  after: UsagePosition | null;
}

/** The sums of an organization's keys of these environments. */
export interface UsageOwner {
  orgId: string;
  environments: readonly Environment[];
}

/**
 * Returns a page of sums, newest day first, then by operation and key, and the totals of all pages. Both are of one
 * moment, so that items and totals agree while requests are counted.
 */
export async function listUsage(
  db: Database,
  owner: UsageOwner,
  span: Span,
  page: Page,
): Promise<{ items: UsageItem[]; totals: UsageTotals }> {
  return db
    .em()
    .transactional(
      async (em) => ({ items: await listItems(em, owner, span, page), totals: await sumItems(em, owner, span) }),
      { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
    );
}

async function listItems(
  em: EntityManager,
  { orgId, environments }: UsageOwner,
  { from, to }: Span,
  { limit, after }: Page,
): Promise<UsageItem[]> {
  const rows = await em.execute<(Omit<UsageItem, 'operation'> & { operation: string })[]>(
    `select
       to_char(day, 'YYYY-MM-DD') as date,
       operation,
       key_id as "keyId",
       requests::float8,
       artworks::float8,
       credits::float8
     from "usage"
     where org_id = ?
       and environment = any (?::text[])
       and day between ?::date and ?::date
       ${after ? 'and (day < ?::date or day = ?::date and (operation, key_id) > (?, ?))' : ''}
     order by day desc, operation, key_id
     limit ?`,
    [
      orgId,
      arrayLiteral(environments),
      from,
      to,
      ...(after ? [after.date, after.date, after.operation ?? '', after.keyId] : []),
      limit,
    ],
  );
  return rows.map((row) => ({ ...row, operation: row.operation || null }));
}

async function sumItems(
  em: EntityManager,
  { orgId, environments }: UsageOwner,
  { from, to }: Span,
): Promise<UsageTotals> {
  const [totals] = await em.execute<[UsageTotals]>(
    `select
       coalesce(sum(requests), 0)::float8 as requests,
       coalesce(sum(artworks), 0)::float8 as artworks,
       coalesce(sum(credits), 0)::float8 as credits
     from "usage"
     where org_id = ? and environment = any (?::text[]) and day between ?::date and ?::date`,
    [orgId, arrayLiteral(environments), from, to],
  );
  return totals;
}

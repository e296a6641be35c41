/** Counts unfinished and overdue artworks. Each query uses an index. */
import type { Database } from './database.ts';

export interface UnfinishedGroup {
  operation: string;
  status: 'STARTING' | 'PROCESSING';
  count: number;
  oldest: Date;
}

/** Counts the unfinished artworks and synchronous requests. */
export async function countUnfinished(db: Database): Promise<UnfinishedGroup[]> {
  const rows = await db.em().execute<(Omit<UnfinishedGroup, 'oldest'> & { oldest: string | Date })[]>(
    `select operation, status, count(*)::int as count, min(created_at) as oldest
     from artwork
     where finished_at is null and status <> 'ABANDONED'
     group by operation, status`,
  );
  return rows.map((row) => ({ ...row, oldest: new Date(row.oldest) }));
}

/** Returns the ids of unfinished artworks that were created before a point in time, oldest first. */
export async function findUnfinishedIds(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db.em().execute<{ id: string }[]>(
    `select id
     from artwork
     where finished_at is null and status <> 'ABANDONED' and created_at < ?
     order by created_at
     limit ?`,
    [before, limit],
  );
  return rows.map(({ id }) => id);
}

/** Counts the rows that expired before a point in time, up to `limit`. */
export async function countOverdue(db: Database, before: Date, limit: number): Promise<number> {
  const [row] = await db.em().execute<{ count: number }[]>(
    `select count(*)::int as count
       from (select 1 from artwork where expires_at < ? limit ?) as overdue`,
    [before, limit],
  );
  return row?.count ?? 0;
}

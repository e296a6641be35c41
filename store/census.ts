/** How many artworks have not ended, and which of them deserve a second look. Both are answered from indexes. */
import type { Database } from './database.ts';

export interface Group {
  operation: string;
  status: 'STARTING' | 'PROCESSING';
  count: number;
  oldest: Date;
}

/** Artworks and answers that have not ended. */
export async function countUnfinished(db: Database): Promise<Group[]> {
  const rows = await db.em().execute<(Omit<Group, 'oldest'> & { oldest: string | Date })[]>(
    `select operation, status, count(*)::int as count, min(created_at) as oldest from artwork
       where finished_at is null and status <> 'ABANDONED' group by operation, status`,
  );
  return rows.map((row) => ({ ...row, oldest: new Date(row.oldest) }));
}

/** Ids of those that were created before, the oldest first. */
export async function findUnfinished(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db.em().execute<{ id: string }[]>(
    `select id from artwork where finished_at is null and status <> 'ABANDONED' and created_at < ?
       order by created_at limit ?`,
    [before, limit],
  );
  return rows.map(({ id }) => id);
}

/** How many rows should have been purged before, counted up to the limit. */
export async function countOverdue(db: Database, before: Date, limit: number): Promise<number> {
  const [row] = await db
    .em()
    .execute<{ count: number }[]>(
      `select count(*)::int as count from (select 1 from artwork where expires_at < ? limit ?) as overdue`,
      [before, limit],
    );
  return row?.count ?? 0;
}

/** Counts unfinished artworks, and finds unfinished and overdue ones. Each query uses an index. */
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

/** Returns the ids of rows that expired before a point in time, in the order of their expiry. */
export async function findOverdueIds(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db.em().execute<{ id: string }[]>(
    `select id
     from artwork
     where expires_at < ?
     order by expires_at
     limit ?`,
    [before, limit],
  );
  return rows.map(({ id }) => id);
}

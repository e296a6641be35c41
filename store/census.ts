/** Counts unfinished artworks, and finds unfinished, undelivered and overdue ones. Each query uses an index. */
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

/** A row that may need an operator, and the time by which its kind is ordered. */
export interface Candidate {
  id: string;
  at: Date;
}

/**
 * Finds a page of rows, in the order of their times.
 * @param page.before only rows with an earlier time; null for all
 * @param page.after the last row of the previous page
 */
export type FindCandidates = (
  db: Database,
  page: { before: Date | null; after: Candidate | null; limit: number },
) => Promise<Candidate[]>;

/** Finds unfinished artworks and synchronous requests, by their creation. */
export const findUnfinished: FindCandidates = (db, page) =>
  find(db, page, { id: 'id', at: 'created_at' }, `artwork where finished_at is null and status <> 'ABANDONED'`);

/**
 * Finds ended artworks whose event will be attempted again, by the time of the attempt. Workers of 2.6.2 do not remove
 * the row of a due delivery, so the recorded attempts decide.
 */
export const findUndelivered: FindCandidates = (db, page) =>
  find(
    db,
    page,
    { id: 'artwork_id', at: 'due_at' },
    `due_delivery due
     where not exists (select from delivery where artwork_id = due.artwork_id and next_at is null)`,
  );

/** Finds rows by their expiry; also claims and tombstones. */
export const findExpired: FindCandidates = (db, page) =>
  find(db, page, { id: 'id', at: 'expires_at' }, 'artwork where true');

/** Finds claims and tombstones by their expiry. */
export const findAbandoned: FindCandidates = (db, page) =>
  find(db, page, { id: 'id', at: 'expires_at' }, `artwork where status = 'ABANDONED'`);

async function find(
  db: Database,
  { before, after, limit }: Parameters<FindCandidates>[1],
  { id, at }: { id: string; at: string },
  source: string,
): Promise<Candidate[]> {
  const rows = await db.em().execute<{ id: string; at: string | Date }[]>(
    `select ${id} as id, ${at} as at
     from ${source} and (${at}, ${id}) > (?, ?) ${before ? `and ${at} < ?` : ''}
     order by ${at}, ${id}
     limit ?`,
    [after?.at ?? new Date(0), after?.id ?? '', ...(before ? [before] : []), limit],
  );
  return rows.map((row) => ({ id: row.id, at: new Date(row.at) }));
}

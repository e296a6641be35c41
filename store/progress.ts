/** Counts of the results and failed attempts of artworks, from which their progress is computed. */
import type { ErrorCode } from '../schemas/errors.ts';
import type { Database } from './database.ts';

export interface CallCounts {
  /** The artwork's id. */
  id: string;
  /** The calls whose results are stored. */
  finished: string[];
  failedAttempts: number;
  /** Failed attempts that another attempt has followed. */
  retriedAttempts: number;
  /** Whether the latest attempt of a call has failed with one of the given codes. */
  isWaiting: boolean;
}

/** Returns one item for each artwork that exists, with one query. @param waitingCodes see `isWaiting` */
export async function countCalls(
  db: Database,
  artworkIds: readonly string[],
  waitingCodes: readonly ErrorCode[],
): Promise<CallCounts[]> {
  if (artworkIds.length === 0) return [];
  return db.em().execute<CallCounts[]>(
    `select
       artwork.id,
       array(select call from call_result where artwork_id = artwork.id) as "finished",
       attempts.failed as "failedAttempts",
       attempts.retried as "retriedAttempts",
       attempts.waiting as "isWaiting"
     from artwork
     cross join lateral (
       select
         count(*)::int as failed,
         count(retried_at)::int as retried,
         coalesce(bool_or(retried_at is null and code in (${placeholders(waitingCodes)})), false) as waiting
       from failed_try
       where artwork_id = artwork.id
     ) as attempts
     where artwork.id in (${placeholders(artworkIds)})`,
    [...waitingCodes, ...artworkIds],
  );
}

const placeholders = (values: readonly unknown[]) => values.map(() => '?').join(', ');

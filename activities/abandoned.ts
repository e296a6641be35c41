/**
 * Purges claims and tombstones that have expired. Their workflow does so, too, but it may have ended earlier: a worker or
 * an API that was frozen can claim the id of an artwork that is gone.
 */
import { findAbandoned } from '../store/census.ts';
import type { Dependencies } from './dependencies.ts';
import { purge } from './purge.ts';

/** Milliseconds after the expiry in which the workflow is expected to purge the row. */
const grace = 10_000;
/** Rows of one round. */
const limit = 100;

export async function purgeAbandoned(deps: Dependencies): Promise<void> {
  const before = new Date(deps.now() - grace);
  for (const { id } of await findAbandoned(deps.db, { before, after: null, limit })) await purge(deps, { id });
}

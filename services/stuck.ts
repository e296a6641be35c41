/** Finds artworks and synchronous requests that nothing will continue. A metric counts them, and operators revive them. */
import type { Client } from '@temporalio/client';
import { searchAttributes } from '../schemas/search-attributes.ts';
import { findOverdueIds, findUnfinishedIds } from '../store/census.ts';
import type { Database } from '../store/database.ts';

/** Milliseconds before an artwork can count as stuck. Temporal's visibility may lag by seconds. */
const grace = { unfinished: 2 * 60_000, purge: 10 * 60_000 };
/** Maximum rows of each kind. If more are stuck, the exact number does not matter. */
const limit = 1000;
/** Workflows in one query to Temporal. */
const page = 100;
/** Milliseconds for each page of Temporal's list. */
const timeout = 3000;

export interface Stuck {
  /** Unfinished artworks and synchronous requests on which no workflow works. */
  workflowGone: string[];
  /** Rows that are still there after their expiry; also claims and tombstones. */
  overdue: string[];
}

interface Dependencies {
  db: Database;
  temporal: Client;
  now(): number;
}

/** Returns ids, up to 1000 of each kind, oldest first. @throws when a backend cannot be reached */
export async function findStuck(deps: Dependencies): Promise<Stuck> {
  const { db, now } = deps;
  const [workflowGone, overdue] = await Promise.all([
    findWithoutWorkflow(deps),
    findOverdueIds(db, new Date(now() - grace.purge), limit),
  ]);
  return { workflowGone, overdue };
}

async function findWithoutWorkflow({ db, temporal, now }: Dependencies): Promise<string[]> {
  const findUnfinished = () => findUnfinishedIds(db, new Date(now() - grace.unfinished), limit);
  const ids = await findUnfinished();
  const missing = new Set(ids);
  for (let from = 0; from < ids.length; from += page) {
    const quoted = ids.slice(from, from + page).map((id) => `'${id}'`);
    // After a restore, the workflow may have ended an artwork whose row is unfinished again. The workflow then shows
    // another status.
    const running = `ExecutionStatus = 'Running' AND ${searchAttributes.status} = 'PROCESSING'`;
    const query = `${running} AND WorkflowId IN (${quoted.join(', ')})`;
    await temporal.connection.withDeadline(now() + timeout, async () => {
      for await (const { workflowId } of temporal.workflow.list({ query, pageSize: page })) missing.delete(workflowId);
    });
  }
  if (missing.size === 0) return [];
  // Some may have ended since the query.
  return (await findUnfinished()).filter((id) => missing.has(id));
}

/** Finds artworks and synchronous requests that nothing will continue. A metric counts them, and operators revive them. */
import type { Client } from '@temporalio/client';
import { searchAttributes } from '../schemas/search-attributes.ts';
import { type Candidate, type FindCandidates, findExpired, findUndelivered, findUnfinished } from '../store/census.ts';
import type { Database } from '../store/database.ts';

/** Rows in one query. */
const page = 1000;
/** Workflows in one query to Temporal. */
const workflows = 100;
/** Milliseconds for each page of Temporal's list. */
const timeout = 3000;

export type StuckKind = 'workflow_gone' | 'undelivered' | 'overdue';

interface Kind {
  find: FindCandidates;
  /** Milliseconds before a row can count as stuck. Temporal's list may lag by seconds. */
  grace: number;
  /** The workflows that continue such an artwork, as a condition of Temporal's list; null when no workflow counts. */
  continuedBy: string | null;
}

const running = `ExecutionStatus = 'Running'`;

const kinds: Record<StuckKind, Kind> = {
  workflow_gone: {
    find: findUnfinished,
    grace: 2 * 60_000,
    // After a restore, the workflow may have ended an artwork whose row is unfinished again. The workflow then shows
    // another status.
    continuedBy: `${running} AND ${searchAttributes.status} = 'PROCESSING'`,
  },
  undelivered: { find: findUndelivered, grace: 2 * 60_000, continuedBy: running },
  overdue: { find: findExpired, grace: 10 * 60_000, continuedBy: null },
};

export const stuckKinds = Object.keys(kinds) as StuckKind[];

interface Dependencies {
  db: Database;
  temporal: Client;
  now(): number;
}

/** Counts the stuck artworks among the thousand oldest candidates of each kind. @throws when a backend cannot be reached */
export async function countStuck(deps: Dependencies): Promise<Record<StuckKind, number>> {
  const counts = await Promise.all(
    stuckKinds.map(async (why) => [why, (await findPage(deps, kinds[why], null)).stuck.length] as const),
  );
  return Object.fromEntries(counts) as Record<StuckKind, number>;
}

/** Returns the ids of all stuck artworks of one kind in pages, oldest first. @throws when a backend cannot be reached */
export async function* pagesOfStuck(deps: Dependencies, why: StuckKind): AsyncGenerator<string[]> {
  let after: Candidate | null = null;
  do {
    const { stuck, last } = await findPage(deps, kinds[why], after);
    yield stuck;
    after = last;
  } while (after);
}

/** Returns the stuck artworks of one page, and its last row; null for the last page. */
async function findPage(
  deps: Dependencies,
  { find, grace, continuedBy }: Kind,
  after: Candidate | null,
): Promise<{ stuck: string[]; last: Candidate | null }> {
  const before = new Date(deps.now() - grace);
  const read = () => find(deps.db, { before, after, limit: page });
  const rows = await read();
  const last = rows.length === page ? (rows.at(-1) ?? null) : null;
  const ids = rows.map(({ id }) => id);
  if (!continuedBy) return { stuck: ids, last };
  const missing = await findMissing(deps, ids, continuedBy);
  if (missing.size === 0) return { stuck: [], last };
  // Some may have ended since the query.
  return { stuck: (await read()).map(({ id }) => id).filter((id) => missing.has(id)), last };
}

/** Returns the ids that no such workflow has. */
async function findMissing(
  { temporal, now }: Dependencies,
  ids: readonly string[],
  condition: string,
): Promise<Set<string>> {
  const missing = new Set(ids);
  for (let from = 0; from < ids.length; from += workflows) {
    const quoted = ids.slice(from, from + workflows).map((id) => `'${id}'`);
    const query = `${condition} AND WorkflowId IN (${quoted.join(', ')})`;
    await temporal.connection.withDeadline(now() + timeout, async () => {
      const found = temporal.workflow.list({ query, pageSize: workflows });
      for await (const { workflowId } of found) missing.delete(workflowId);
    });
  }
  return missing;
}

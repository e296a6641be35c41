/** How far artworks are that are being worked on: what a client sees of them while it waits. */
import type { ErrorCode } from '../schemas/errors.ts';
import type { Plan } from '../schemas/plan.ts';
import type { Database } from './database.ts';
import type { Artwork } from './entities.ts';

export interface Progress {
  /** The stage of its plan, or `waiting for provider`; null when nothing is left but its end. */
  stage: string | null;
  /** Calls whose results are kept. */
  done: number;
  /** Calls of its plan. */
  total: number;
  /** What has happened so far, counted: results, tries that failed, and those that were followed by another. It only grows. */
  facts: number;
}

interface Row {
  id: string;
  calls: string[];
  tries: number;
  retried: number;
  waits: boolean;
}

/** Failures that may pass: their call is tried again. */
const passing: ErrorCode[] = ['provider_unavailable', 'provider_timeout'];

/** By artwork, in one query for all of them; those that are not being worked on have none. */
export async function findProgress(db: Database, artworks: readonly Artwork[]): Promise<Map<string, Progress>> {
  const plans = new Map(
    artworks.flatMap(({ id, status, plan }) => (status === 'PROCESSING' && plan ? [[id, plan]] : [])),
  );
  if (plans.size === 0) return new Map();
  const ids = [...plans.keys()];
  const rows = await db.em().execute<Row[]>(
    `select artwork.id, array(select call from call_result where artwork_id = artwork.id) as calls,
       tries.count as tries, tries.retried, tries.waits
     from artwork cross join lateral (
       select count(*)::int as count, count(retried_at)::int as retried,
         coalesce(bool_or(retried_at is null and code in (${marks(passing)})), false) as waits
       from failed_try where artwork_id = artwork.id
     ) as tries
     where artwork.id in (${marks(ids)})`,
    [...passing, ...ids],
  );
  return new Map(rows.map((row) => [row.id, progressOf(plans.get(row.id)?.stages ?? [], row)]));
}

const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ');

function progressOf(stages: Plan['stages'], { calls, tries, retried, waits }: Row): Progress {
  const total = stages.reduce((sum, stage) => sum + stage.calls.length, 0);
  const facts = calls.length + tries + retried;
  return { stage: waits ? 'waiting for provider' : stageOf(stages, calls), done: calls.length, total, facts };
}

/** The first stage of which a call is open, none of whose followers has begun: a stage may do without some of its calls. */
function stageOf(stages: Plan['stages'], done: readonly string[]): string | null {
  const latest = stages.findLastIndex((stage) => stage.calls.some(({ id }) => done.includes(id)));
  const open = stages.slice(Math.max(latest, 0)).find((stage) => stage.calls.some(({ id }) => !done.includes(id)));
  return open?.name ?? null;
}

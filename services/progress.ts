/** The progress of artworks in status `PROCESSING`, as a client sees it. */
import type { ErrorCode } from '../schemas/errors.ts';
import type { Plan } from '../schemas/plan.ts';
import type { Database } from '../store/database.ts';
import type { Artwork } from '../store/entities.ts';
import { type CallCounts, countCalls } from '../store/progress.ts';

export interface Progress {
  /** The current stage of the plan, or `waiting for provider`; null when all calls have ended. */
  stage: string | null;
  /** Calls with a stored result. */
  done: number;
  /** All calls of the plan. */
  total: number;
  /** The number of results, failed attempts and retries so far. It never decreases, so ids of events derive from it. */
  updates: number;
}

/** The failures after which a call waits and is attempted again. */
const waitingCodes: readonly ErrorCode[] = ['provider_unavailable', 'provider_timeout'];

/** Returns the progress by artwork id, with one query; artworks in any other status have none. */
export async function findProgress(db: Database, artworks: readonly Artwork[]): Promise<Map<string, Progress>> {
  const plans = new Map(
    artworks.flatMap(({ id, status, plan }) => (status === 'PROCESSING' && plan ? [[id, plan]] : [])),
  );
  const counts = await countCalls(db, [...plans.keys()], waitingCodes);
  return new Map(counts.map((one) => [one.id, progressOf(plans.get(one.id)?.stages ?? [], one)]));
}

function progressOf(stages: Plan['stages'], counts: CallCounts): Progress {
  const { finished, failedAttempts, retriedAttempts, isWaiting } = counts;
  return {
    stage: isWaiting ? 'waiting for provider' : currentStage(stages, finished),
    done: finished.length,
    total: stages.reduce((sum, stage) => sum + stage.calls.length, 0),
    updates: finished.length + failedAttempts + retriedAttempts,
  };
}

/**
 * Returns the first stage with an unfinished call. The search starts at the latest stage with a finished call, because
 * earlier stages may have succeeded without some of their calls.
 */
function currentStage(stages: Plan['stages'], finished: readonly string[]): string | null {
  const latest = stages.findLastIndex((stage) => stage.calls.some(({ id }) => finished.includes(id)));
  const open = stages.slice(Math.max(latest, 0)).find((stage) => stage.calls.some(({ id }) => !finished.includes(id)));
  return open?.name ?? null;
}

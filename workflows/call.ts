/** One call: a few quick attempts at each engine of its model in turn, then a wait for the engines that are down. */
import { isCancellation, sleep } from '@temporalio/workflow';
import type { RetryPolicy } from '@temporalio/common';
import type { CallAttempt, OutlinedCall, OutlinedEngine } from '../schemas/workflow.ts';
import { engineOptions, engines } from './activities.ts';
import { addDetail } from './details.ts';
import { isDown, isTransient } from './failures.ts';

export interface TimeLimits {
  /** Milliseconds to wait for engines that are down, over all attempts, unless the call has its own limit. */
  outageLimit: number;
  /** Epoch milliseconds of the deadline for the whole call, its wait in a queue included; null: no deadline. */
  until: number | null;
}

/** The retry policy after whose attempts an engine counts as down. */
const quick = { ...engineOptions.retry, maximumAttempts: 4 };

/**
 * Milliseconds between two rounds over engines that are down. The pauses grow, so that hours of rounds fit into the
 * history.
 */
const firstPause = 1000;
/** @param waited milliseconds since the first round */
const longestPause = (waited: number) => Math.max(30_000, waited / 20);

/** Milliseconds that a call may wait in an engine's queue, so that a call without a worker is not stranded. */
const longestQueueTime = 24 * 3600_000;

/**
 * Runs the activity `perform` for the call.
 * @param at null when the outline names no engine
 * @param within milliseconds for all attempts, queueing included
 */
type Attempt = (
  at: OutlinedEngine | null,
  retry: RetryPolicy,
  within: number,
  options: Pick<CallAttempt, 'brief' | 'until'>,
) => Promise<void>;

export async function call(id: string, outlined: OutlinedCall, { outageLimit, until }: TimeLimits): Promise<void> {
  const { id: callId, summary, queue, timeout, engine, heartbeat, others = [] } = outlined;
  const attempt: Attempt = (at, retry, within, rest) => {
    const options = {
      ...engineOptions,
      retry,
      summary,
      taskQueue: at?.queue ?? queue,
      startToCloseTimeout: at?.timeout ?? timeout,
      heartbeatTimeout: at?.heartbeat ?? engineOptions.heartbeatTimeout,
      scheduleToCloseTimeout: Math.max(until === null ? within : Math.min(within, until - Date.now()), 1),
    };
    return engines.perform.executeWithOptions(options, [{ id, callId, ...(at && { engine: at.engine }), ...rest }]);
  };
  // Outlines of earlier releases name no engine, and their calls were one activity with all its retries.
  if (engine === undefined) return attempt(null, engineOptions.retry, outageLimit, {});

  const unavailable = await attemptEach(
    [{ engine, queue, timeout, ...(heartbeat && { heartbeat }) }, ...others],
    attempt,
  );
  if (!unavailable) return;
  addDetail(`${callId}: waiting for provider ${unavailable.map((at) => at.engine).join(', ')}`);
  // `deadline` in an outline is a duration in milliseconds: the call's own outage limit.
  const end = Date.now() + (outlined.deadline ?? outageLimit);
  const [first, second] = unavailable;
  if (first && !second) return waitForOne(first, end, attempt);
  return waitForAny(unavailable, end, attempt);
}

/** Makes a few quick attempts at each engine. Returns the engines to wait for, or null when the call has succeeded. */
async function attemptEach(
  all: readonly OutlinedEngine[],
  attempt: Attempt,
): Promise<readonly OutlinedEngine[] | null> {
  for (const [index, at] of all.entries()) {
    try {
      await attempt(at, quick, longestQueueTime, { brief: true });
      return null;
    } catch (error) {
      if (isCancellation(error) || !isTransient(error)) throw error;
      // The call stays with an engine that is slow or holds its job, because another engine would charge for it again.
      if (!isDown(error)) return [at];
      const next = all[index + 1];
      if (next) addDetail(`${at.engine} is down: ${next.engine} takes over`);
    }
  }
  return all;
}

/** Waits by the retries of one activity. @param end epoch milliseconds at which the wait ends */
function waitForOne(at: OutlinedEngine, end: number, attempt: Attempt): Promise<void> {
  return attempt(at, engineOptions.retry, end - Date.now() + at.timeout, { until: end });
}

/** Waits in rounds of one attempt at each engine. @param end epoch milliseconds at which the wait ends */
async function waitForAny(all: readonly OutlinedEngine[], end: number, attempt: Attempt): Promise<void> {
  const since = Date.now();
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause(Date.now() - since))) {
    await sleep(Math.max(Math.min(pause, end - Date.now()), 1), { summary: 'before the next attempt at each engine' });
    for (const at of all) {
      try {
        return await attempt(at, { maximumAttempts: 1 }, end - Date.now() + at.timeout, { brief: true, until: end });
      } catch (error) {
        if (isCancellation(error) || !isTransient(error) || Date.now() >= end) throw error;
        if (!isDown(error)) return waitForOne(at, end, attempt);
      }
    }
  }
}

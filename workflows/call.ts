/** One call, at the engines that can answer it: a few quick tries at each in turn, then with patience. */
import { isCancellation, sleep } from '@temporalio/workflow';
import type { RetryPolicy } from '@temporalio/common';
import type { CallTry, OutlinedCall, OutlinedEngine } from '../schemas/workflow.ts';
import { isDown, mayPass } from './failure.ts';
import { engineOptions, engines } from './steps.ts';
import { tell } from './story.ts';

/** How long calls are waited for. */
export interface Waiting {
  /** Milliseconds for engines that are down, over all tries, where a call has no deadline of its own. */
  deadline: number;
  /** Epoch milliseconds at which all of it is over; null where its turn in a queue may take as long as it takes. */
  until: number | null;
}

/** Tries at an engine before it counts as down. */
const quick = { ...engineOptions.retry, maximumAttempts: 4 };

/** Milliseconds between two rounds over several engines that are down: hours of them leave room in the history. */
const firstPause = 1000;
const longestPause = (waited: number) => Math.max(30_000, waited / 20);

/** Milliseconds that a call may stand in an engine's queue: none that nobody works on is to be forgotten there. */
const longestQueue = 24 * 3600_000;

type TryAt = (at: OutlinedEngine | null, retry: RetryPolicy, within: number, rest: Partial<CallTry>) => Promise<void>;

export async function call(id: string, outlined: OutlinedCall, { deadline, until }: Waiting): Promise<void> {
  const { id: callId, summary, queue, timeout, engine, others = [] } = outlined;
  const tryAt: TryAt = (at, retry, within, rest) => {
    const options = {
      ...engineOptions,
      retry,
      summary,
      taskQueue: at?.queue ?? queue,
      startToCloseTimeout: at?.timeout ?? timeout,
      scheduleToCloseTimeout: Math.max(until === null ? within : Math.min(within, until - Date.now()), 1),
    };
    return engines.perform.executeWithOptions(options, [{ id, callId, ...(at && { engine: at.engine }), ...rest }]);
  };
  // Outlines of earlier releases name no engine, and their calls were tried in one go.
  if (engine === undefined) return tryAt(null, engineOptions.retry, deadline, {});

  const all = [{ engine, queue, timeout }, ...others];
  for (const [index, at] of all.entries()) {
    try {
      return await tryAt(at, quick, longestQueue, { brief: true });
    } catch (error) {
      if (isCancellation(error) || !mayPass(error)) throw error;
      // One that is slow, or has a job of the call, is not left for another: it alone is waited for.
      if (!isDown(error)) all.splice(0, all.length, at);
      const next = all[index + 1];
      if (next) tell(`${at.engine} is down: ${next.engine} takes over`);
      else break;
    }
  }
  tell(`${callId}: waiting for provider ${all.map((at) => at.engine).join(', ')}`);
  return wait(all, Date.now() + (outlined.deadline ?? deadline), tryAt);
}

/** One engine is waited for by its activity's own retries; several are asked in rounds. */
async function wait(all: OutlinedEngine[], until: number, tryAt: TryAt): Promise<void> {
  const since = Date.now();
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause(Date.now() - since))) {
    const [only, second] = all;
    if (only && !second) return tryAt(only, engineOptions.retry, until - Date.now() + only.timeout, { until });
    await sleep(Math.max(Math.min(pause, until - Date.now()), 1), { summary: 'before engines that are down' });
    for (const at of all) {
      try {
        return await tryAt(at, { maximumAttempts: 1 }, until - Date.now() + at.timeout, { brief: true, until });
      } catch (error) {
        if (isCancellation(error) || !mayPass(error) || Date.now() >= until) throw error;
        if (isDown(error)) continue;
        all = [at];
        break;
      }
    }
  }
}

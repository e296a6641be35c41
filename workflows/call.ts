/** One call, at the engines that can answer it: a few quick tries at each in turn, then with patience. */
import { isCancellation, sleep } from '@temporalio/workflow';
import type { RetryPolicy } from '@temporalio/common';
import type { OutlinedCall, OutlinedEngine } from '../schemas/workflow.ts';
import { codeOf, mayPass } from './failure.ts';
import { engineOptions, engines } from './steps.ts';
import { tell } from './story.ts';

/** Tries at an engine before it counts as down. */
const quick = { ...engineOptions.retry, maximumAttempts: 4 };

/** Milliseconds between two rounds over several engines that are down. */
const firstPause = 1000;
const longestPause = 30_000;

/** @param deadline milliseconds that it may wait for engines that are down, where it has none of its own */
export async function call(id: string, outlined: OutlinedCall, deadline: number): Promise<void> {
  const { id: callId, summary, queue, timeout, engine, others = [] } = outlined;
  const until = Date.now() + (outlined.deadline ?? deadline);
  const tryAt = (at: OutlinedEngine | null, retry: RetryPolicy, brief: boolean) => {
    const options = {
      ...engineOptions,
      retry,
      summary,
      taskQueue: at?.queue ?? queue,
      startToCloseTimeout: at?.timeout ?? timeout,
      scheduleToCloseTimeout: Math.max(until - Date.now(), 1),
    };
    const task = { id, callId, ...(at && { engine: at.engine }), ...(brief && { brief }) };
    return engines.perform.executeWithOptions(options, [task]);
  };
  // Outlines of earlier releases name no engine, and their calls were tried in one go.
  if (engine === undefined) return tryAt(null, engineOptions.retry, false);

  const all = [{ engine, queue, timeout }, ...others];
  for (const [index, at] of all.entries()) {
    try {
      return await tryAt(at, quick, true);
    } catch (error) {
      if (isCancellation(error) || !mayPass(error)) throw error;
      // One that is slow is not down: it alone is waited for.
      if (codeOf(error, 'provider_unavailable') === 'provider_timeout') all.splice(0, all.length, at);
      const next = all[index + 1];
      if (next) tell(`${at.engine} is down: ${next.engine} takes over`);
      else break;
    }
  }
  tell(`${callId}: waiting for provider ${all.map((at) => at.engine).join(', ')}`);
  return wait(all, until, tryAt);
}

type TryAt = (at: OutlinedEngine, retry: RetryPolicy, brief: boolean) => Promise<void>;

/** One engine is waited for by its activity's own retries; several are asked in rounds. */
async function wait(all: readonly OutlinedEngine[], until: number, tryAt: TryAt): Promise<void> {
  const [only, second] = all;
  if (only && !second) return tryAt(only, engineOptions.retry, false);
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    await sleep(Math.max(Math.min(pause, until - Date.now()), 1), { summary: 'before engines that are down' });
    for (const at of all) {
      try {
        return await tryAt(at, { maximumAttempts: 1 }, true);
      } catch (error) {
        if (isCancellation(error) || !mayPass(error) || Date.now() >= until) throw error;
      }
    }
  }
}

/** Interprets a plan: stages in order, the calls of a stage in parallel. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { Duration } from '@temporalio/common';
import { isErrorCode } from '../schemas/errors.ts';
import type { CallFailure, Ending, OutlinedCall, OutlinedStage, Outline } from '../schemas/workflow.ts';
import { engineOptions, engines, patience } from './steps.ts';
import { tell } from './story.ts';

/** @param deadline how long a call may wait for an engine that is down, over all its tries */
export async function perform(id: string, outline: Outline, deadline: Duration = patience): Promise<Ending> {
  const failures: CallFailure[] = [];
  for (const stage of outline.stages) {
    tell(`${stage.name}: ${stage.calls.map(({ summary }) => summary).join(', ')}`);
    const failed = await performStage(id, stage, deadline);
    const [first] = failed;
    if (first && (stage.need === 'all' || failed.length === stage.calls.length)) {
      return { status: 'FAILED', failure: first, failures: [] };
    }
    failures.push(...failed);
  }
  return { status: 'SUCCEEDED', failure: null, failures };
}

/** @returns the calls that failed; where all are needed, the first failure cancels the others */
async function performStage(id: string, { need, calls }: OutlinedStage, deadline: Duration): Promise<CallFailure[]> {
  const failures: CallFailure[] = [];
  const stage = new CancellationScope();
  await stage.run(() =>
    Promise.all(
      calls.map(async (call) => {
        try {
          await performCall(id, call, deadline);
        } catch (error) {
          // Canceled from outside: the artwork has no use for the rest. From here: another call has failed.
          if (isCancellation(error)) {
            if (failures.length === 0) throw error;
            return;
          }
          failures.push(toCallFailure(call, error));
          if (need === 'all') stage.cancel();
        }
      }),
    ),
  );
  return failures;
}

function performCall(id: string, call: OutlinedCall, scheduleToCloseTimeout: Duration): Promise<void> {
  const { queue: taskQueue, timeout: startToCloseTimeout, summary } = call;
  const options = { ...engineOptions, scheduleToCloseTimeout, taskQueue, startToCloseTimeout, summary };
  return engines.perform.executeWithOptions(options, [{ id, callId: call.id }]);
}

/** The activity has classified what it could; what remains is time. */
function toCallFailure({ id: call, model }: OutlinedCall, error: unknown): CallFailure {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) {
    const code = cause.timeoutType === 'START_TO_CLOSE' ? 'provider_timeout' : 'provider_unavailable';
    return { call, model, code, message: null };
  }
  if (!(cause instanceof ApplicationFailure)) throw error;
  const code = isErrorCode(cause.type) ? cause.type : 'internal_error';
  return { call, model, code: code === 'unavailable' ? 'provider_unavailable' : code, message: null };
}

/** Interprets a plan: stages in order, the calls of a stage in parallel. */
import { CancellationScope, isCancellation, patched } from '@temporalio/workflow';
import type { ErrorCode } from '../schemas/errors.ts';
import type { CallFailure, Ending, OutlinedCall, OutlinedStage, Outline } from '../schemas/workflow.ts';
import { defaultOutageLimit } from './activities.ts';
import { call, type TimeLimits } from './call.ts';
import { addDetail } from './details.ts';
import { codeOf } from './failures.ts';

interface PlanLimits extends TimeLimits {
  /** The error code of a call that has reached its deadline. */
  codeAtDeadline: ErrorCode;
}

const limitsOfArtwork: PlanLimits = {
  outageLimit: defaultOutageLimit,
  until: null,
  codeAtDeadline: 'provider_unavailable',
};

export async function perform(id: string, outline: Outline, limits = limitsOfArtwork): Promise<Ending> {
  const failures: CallFailure[] = [];
  for (const stage of outline.stages) {
    addDetail(`${stage.name}: ${stage.calls.map(({ summary }) => summary).join(', ')}`);
    const failed = await performStage(id, stage, limits);
    const [first] = failed;
    if (first && (stage.need === 'all' || failed.length === stage.calls.length)) {
      return { status: 'FAILED', failure: first, failures: [] };
    }
    failures.push(...failed);
  }
  return { status: 'SUCCEEDED', failure: null, failures };
}

/**
 * Ends when all calls of the stage have ended, so that no call is running when the purge follows a cancellation. When the
 * stage needs all calls, the first failure cancels the others.
 * @returns the calls that failed
 */
async function performStage(id: string, { need, calls }: OutlinedStage, limits: PlanLimits): Promise<CallFailure[]> {
  const failures: CallFailure[] = [];
  let canceled: Error | undefined;
  const stage = new CancellationScope();
  await stage.run(() =>
    Promise.all(
      calls.map(async (one) => {
        try {
          await call(id, one, limits);
        } catch (error) {
          if (isCancellation(error)) {
            // The failure of another call has canceled this one.
            if (failures.length > 0) return;
            // The artwork is canceled. The stage ends with its last call; in earlier releases, it ended at once.
            if (calls.length === 1 || !patched('stages-end-whole')) throw error;
            canceled ??= error as Error;
            return;
          }
          failures.push(failureOf(one, error, limits.codeAtDeadline));
          if (need === 'all') stage.cancel();
        }
      }),
    ),
  );
  if (canceled && failures.length === 0) throw canceled;
  return failures;
}

function failureOf({ id, model }: OutlinedCall, error: unknown, codeAtDeadline: ErrorCode): CallFailure {
  const code = codeOf(error, codeAtDeadline);
  return { call: id, model, code: code === 'unavailable' ? 'provider_unavailable' : code, message: null };
}

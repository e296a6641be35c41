/** Interprets a plan: stages in order, the calls of a stage in parallel. */
import { CancellationScope, isCancellation, patched } from '@temporalio/workflow';
import type { ErrorCode } from '../schemas/errors.ts';
import type { CallFailure, Ending, OutlinedCall, OutlinedStage, Outline } from '../schemas/workflow.ts';
import { call, type Waiting as Patience } from './call.ts';
import { codeOf } from './failure.ts';
import { patience } from './steps.ts';
import { tell } from './story.ts';

interface Waiting extends Patience {
  /** What it means that all the time is over, where no try has said more. */
  late: ErrorCode;
}

const artworks: Waiting = { deadline: patience, until: null, late: 'provider_unavailable' };

export async function perform(id: string, outline: Outline, waiting = artworks): Promise<Ending> {
  const failures: CallFailure[] = [];
  for (const stage of outline.stages) {
    tell(`${stage.name}: ${stage.calls.map(({ summary }) => summary).join(', ')}`);
    const failed = await performStage(id, stage, waiting);
    const [first] = failed;
    if (first && (stage.need === 'all' || failed.length === stage.calls.length)) {
      return { status: 'FAILED', failure: first, failures: [] };
    }
    failures.push(...failed);
  }
  return { status: 'SUCCEEDED', failure: null, failures };
}

/**
 * Ends when all of its calls have: whoever purges after a cancellation finds nobody still at work.
 * @returns the calls that failed; where all are needed, the first failure cancels the others
 */
async function performStage(id: string, { need, calls }: OutlinedStage, waiting: Waiting): Promise<CallFailure[]> {
  const failures: CallFailure[] = [];
  let canceled: Error | undefined;
  const stage = new CancellationScope();
  await stage.run(() =>
    Promise.all(
      calls.map(async (one) => {
        try {
          await call(id, one, waiting);
        } catch (error) {
          // Canceled from outside: the artwork has no use for the rest. From here: another call has failed.
          if (isCancellation(error)) {
            if (failures.length > 0) return;
            if (calls.length === 1 || !patched('stages-end-whole')) throw error;
            canceled ??= error as Error;
            return;
          }
          failures.push(toCallFailure(one, error, waiting.late));
          if (need === 'all') stage.cancel();
        }
      }),
    ),
  );
  if (canceled && failures.length === 0) throw canceled;
  return failures;
}

function toCallFailure({ id, model }: OutlinedCall, error: unknown, late: ErrorCode): CallFailure {
  const code = codeOf(error, late);
  return { call: id, model, code: code === 'unavailable' ? 'provider_unavailable' : code, message: null };
}

/** One synchronous answer: like an artwork, but short, told to nobody, and gone a minute after its end. */
import { CancellationScope, sleep } from '@temporalio/workflow';
import type { AnswerInput } from '../schemas/workflow.ts';
import { begin, broken, endClaim, ignoreCancellation } from './begin.ts';
import { finish } from './finish.ts';
import { perform } from './perform.ts';
import { purging } from './steps.ts';
import { tell } from './story.ts';

/** For so long the API may read it. */
const keptFor = '1m';

/** When the time is over in which its client waits, that is what is said, whatever the last try has met. */
const waiting = ({ patience, until = Date.now() + patience }: AnswerInput) =>
  ({ deadline: patience, until, late: 'provider_timeout' }) as const;

export async function answer(input: AnswerInput): Promise<void> {
  tell('waiting for the request to be stored');
  // A cancellation that comes this early still has a row to remove.
  const outline = await CancellationScope.nonCancellable(() => begin(input));
  if (!outline) {
    tell('the request was never stored');
    return endClaim(input);
  }
  const work = async () => {
    const ending = outline === 'failed' ? broken : await perform(input.id, outline, waiting(input));
    await finish(input.id, ending);
    await sleep(keptFor, { summary: 'kept for its client' });
  };
  // Canceled when its client goes away or has waited for long enough.
  await work().catch(ignoreCancellation);
  await CancellationScope.nonCancellable(() => purging.purge({ id: input.id }));
  tell('purged');
}

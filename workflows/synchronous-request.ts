/** A synchronous request: a short artwork that sends no webhook and is purged minutes after its end. */
import { CancellationScope, sleep } from '@temporalio/workflow';
import type { SynchronousRequestInput } from '../schemas/workflow.ts';
import { purging } from './activities.ts';
import { begin, holdClaim } from './begin.ts';
import { ignoreCancellation } from './cancellation.ts';
import { addDetail } from './details.ts';
import { internalError } from './failures.ts';
import { finish } from './finish.ts';
import { perform } from './perform.ts';

/** Milliseconds that the API can read the result, unless a repeat of the request can read it for longer. */
const usualRetention = 60_000;

/**
 * Returns the limits. At its deadline, a call fails with `provider_timeout`; in an artwork, with
 * `provider_unavailable`.
 */
const limitsOf = ({ patience: timeout, until = Date.now() + timeout }: SynchronousRequestInput) =>
  ({ outageLimit: timeout, until, codeAtDeadline: 'provider_timeout' }) as const;

export async function synchronousRequest(input: SynchronousRequestInput): Promise<void> {
  addDetail('waiting for the request to be stored');
  // Not cancellable: an early cancellation would leave the row behind.
  const outline = await CancellationScope.nonCancellable(() => begin(input));
  if (!outline) {
    addDetail('the request was never stored');
    return holdClaim(input);
  }
  const work = async () => {
    const ending = outline === 'failed' ? internalError : await perform(input.id, outline, limitsOf(input));
    await finish(input.id, ending);
    // The duration of a timer may differ in a replay, so that it needs no patch.
    await sleep(input.resultRetention ?? usualRetention, { summary: 'until the client has read the result' });
  };
  // Without an idempotency key, the API cancels the workflow when the client disconnects or its timeout ends.
  await work().catch(ignoreCancellation);
  await CancellationScope.nonCancellable(() => purging.purge({ id: input.id }));
  addDetail('purged');
}

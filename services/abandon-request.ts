/** Ends the workflow of a request that was rejected after the workflow had started. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline, withoutDeadline } from '../runtime/deadline.ts';
import { abandonTimeout } from '../runtime/timeouts.ts';
import { claimArtwork } from '../store/artworks.ts';
import type { ArtworkInput } from '../schemas/workflow.ts';
import type { CreationDependencies } from './dependencies.ts';
import { cancelWorkflow, signalWorkflow } from './signal-workflow.ts';

type Dependencies = Pick<CreationDependencies, 'db' | 'temporal' | 'log' | 'now'>;

/** Milliseconds between two attempts to delete an artwork after the response, and for all of them. */
const pause = 5000;
const deletionTimeout = 10 * 60_000;
/** The same for a synchronous request. Shorter than its row is kept, because a later claim would have no workflow. */
const cancelTimeout = 30_000;

/**
 * Claims the id, so that the workflow no longer waits for the row, and then signals `remove`, so that it removes the
 * images of the request and the claim, and ends. Call it only when the row cannot be inserted any more. Never throws:
 * without the claim or the signal, the workflow waits for seconds and keeps a claim for an hour.
 * @param canSignal whether the workflow has signals; that of a synchronous request has none, and ends within minutes
 */
export async function abandonRequest(
  { db, temporal, log, now }: Dependencies,
  input: ArtworkInput,
  { canSignal }: { canSignal: boolean },
): Promise<void> {
  const { id: artworkId, expiresAt } = input;
  try {
    await withDeadline(abandonTimeout, async () => {
      await claimArtwork(db, input, { now: new Date(now()), expiresAt: new Date(expiresAt) });
      if (canSignal) await signalWorkflow({ temporal }, artworkId, 'remove');
    });
  } catch (err) {
    log.warn({ err, artworkId }, 'Could not end the workflow of a rejected request; it ends by itself');
  }
}

/**
 * Makes the workflow delete the row of a rejected request, if there is one: the response to its commit was lost. Never
 * throws. After an error, it continues in the background until this process stops.
 * @param canSignal as for `abandonRequest`; without signals, the workflow is canceled
 */
export async function withdrawRequest(
  deps: Dependencies,
  input: ArtworkInput,
  { canSignal }: { canSignal: boolean },
): Promise<void> {
  const { log } = deps;
  const { id: artworkId } = input;
  const withdraw = (): Promise<unknown> =>
    canSignal ? signalWorkflow({ temporal: deps.temporal }, artworkId, 'remove') : cancelStored(deps, input);
  const withdrawLater = async () => {
    const until = performance.now() + (canSignal ? deletionTimeout : cancelTimeout);
    for (;;) {
      try {
        return void (await withdraw());
      } catch (err) {
        if (performance.now() > until)
          return log.error({ err, artworkId }, 'Could not delete the artwork of a rejected request, if it was stored');
      }
      await sleep(pause, undefined, { ref: false });
    }
  };
  try {
    await withDeadline(abandonTimeout, withdraw);
  } catch (err) {
    log.warn({ err, artworkId }, 'Could not yet delete the artwork of a rejected request, if it was stored');
    void withoutDeadline(withdrawLater);
  }
}

/** Cancels the workflow of a synchronous request if it was stored. Otherwise, the workflow must end its claim. */
async function cancelStored({ db, temporal, now }: Dependencies, input: ArtworkInput): Promise<void> {
  const isClaimed = await claimArtwork(db, input, { now: new Date(now()), expiresAt: new Date(input.expiresAt) });
  if (!isClaimed) await cancelWorkflow({ temporal }, input.id);
}

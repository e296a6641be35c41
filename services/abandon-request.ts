/** Ends the workflow of a request that was rejected after the workflow had started. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline, withoutDeadline } from '../runtime/deadline.ts';
import { abandonTimeout } from '../runtime/timeouts.ts';
import { claimArtwork } from '../store/artworks.ts';
import type { ArtworkInput } from '../schemas/workflow.ts';
import type { CreationDependencies } from './dependencies.ts';
import { cancelWorkflow, signalWorkflow } from './signal-workflow.ts';

type Dependencies = Pick<CreationDependencies, 'db' | 'temporal' | 'log' | 'now'>;

/** Milliseconds between two attempts after the response. */
const pause = 5000;
/** Milliseconds for all attempts. Shorter than a workflow keeps a claim, because a later claim would have no workflow. */
const signalTimeout = 10 * 60_000;
/** The same for a synchronous request, whose row and claim are kept for minutes. */
const synchronousTimeout = 30_000;

interface Options {
  /** Whether the workflow has signals. That of a synchronous request has none. */
  canSignal: boolean;
}

/**
 * Claims the id, so that the workflow no longer waits for the row, and then signals `remove`, so that it removes the
 * images of the request and the claim, and ends. Without signals, it ends within minutes. Call it only when the row cannot
 * be inserted any more. Never throws: after an error, it continues in the background until this process stops. Without
 * the claim or the signal, the workflow waits for seconds and keeps a claim for an hour.
 */
export async function abandonRequest(deps: Dependencies, input: ArtworkInput, { canSignal }: Options): Promise<void> {
  let isClaimed = false;
  const abandon = async () => {
    // Only once: after the signal, whose response can be lost, the workflow deletes the claim and ends.
    if (!isClaimed) await claim(deps, input);
    isClaimed = true;
    if (canSignal) await signalWorkflow({ temporal: deps.temporal }, input.id, 'remove');
  };
  const err = await repeatInBackground(abandon, canSignal, (last) => {
    deps.log.warn(
      { err: last, artworkId: input.id },
      'Could not end the workflow of a rejected request; it ends by itself',
    );
  });
  if (err) deps.log.warn({ err, artworkId: input.id }, 'Could not yet end the workflow of a rejected request');
}

/**
 * Makes the workflow delete the row of a rejected request, if there is one: the response to its commit was lost. Without
 * signals, the workflow is canceled. Never throws: after an error, it continues in the background until this process
 * stops.
 */
export async function withdrawRequest(deps: Dependencies, input: ArtworkInput, { canSignal }: Options): Promise<void> {
  const { log } = deps;
  const { id: artworkId } = input;
  const withdraw = () =>
    canSignal ? signalWorkflow({ temporal: deps.temporal }, artworkId, 'remove') : cancelStored(deps, input);
  const err = await repeatInBackground(withdraw, canSignal, (last) => {
    log.error({ err: last, artworkId }, 'Could not delete the artwork of a rejected request, if it was stored');
  });
  if (err) log.warn({ err, artworkId }, 'Could not yet delete the artwork of a rejected request, if it was stored');
}

/**
 * Attempts work for as long as the response can wait, and after an error again in the background.
 * @param onLastError is called with the error of the last attempt, when the time for all of them has passed
 * @returns the error of the first attempt, or null
 */
async function repeatInBackground(
  work: () => Promise<unknown>,
  canSignal: boolean,
  onLastError: (error: unknown) => void,
): Promise<unknown> {
  const repeat = async () => {
    const until = performance.now() + (canSignal ? signalTimeout : synchronousTimeout);
    for (;;) {
      try {
        return void (await work());
      } catch (error) {
        if (performance.now() > until) return onLastError(error);
      }
      await sleep(pause, undefined, { ref: false });
    }
  };
  try {
    await withDeadline(abandonTimeout, work);
    return null;
  } catch (error) {
    void withoutDeadline(repeat);
    return error;
  }
}

/** Cancels the workflow of a synchronous request if it was stored. Otherwise, the workflow must end its claim. */
async function cancelStored(deps: Dependencies, input: ArtworkInput): Promise<void> {
  const isClaimed = await claim(deps, input);
  if (!isClaimed) await cancelWorkflow({ temporal: deps.temporal }, input.id);
}

const claim = ({ db, now }: Dependencies, input: ArtworkInput): Promise<boolean> =>
  claimArtwork(db, input, { now: new Date(now()), expiresAt: new Date(input.expiresAt) });

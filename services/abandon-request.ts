/** Ends the workflow of a request that was rejected after the workflow had started. */
import { claimArtwork } from '../store/artworks.ts';
import type { ArtworkInput } from '../schemas/workflow.ts';
import type { CreationDependencies } from './dependencies.ts';
import { signalWorkflow } from './signal-workflow.ts';

/**
 * Claims the id, so that the workflow no longer waits for the row, and then signals `remove`, so that it removes the
 * images of the request and the claim, and ends. Call it only when the row cannot be inserted any more. Never throws:
 * without the claim or the signal, the workflow waits for seconds and keeps a claim for an hour.
 * @param canSignal whether the workflow has signals; that of a synchronous request has none, and ends within minutes
 */
export async function abandonRequest(
  { db, temporal, log, now }: Pick<CreationDependencies, 'db' | 'temporal' | 'log' | 'now'>,
  input: ArtworkInput,
  { canSignal }: { canSignal: boolean },
): Promise<void> {
  const { id: artworkId, expiresAt } = input;
  try {
    await claimArtwork(db, input, { now: new Date(now()), expiresAt: new Date(expiresAt) });
    if (canSignal) await signalWorkflow({ temporal }, artworkId, 'remove');
  } catch (err) {
    log.warn({ err, artworkId }, 'Could not end the workflow of a rejected request; it ends by itself');
  }
}

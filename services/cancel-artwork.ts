/** Cancels an artwork that has not ended: it becomes CANCELED and costs nothing. */
import { type Author, recordChange } from '../store/audit.ts';
import { endAsCanceled } from '../store/end-artwork.ts';
import type { Artwork } from '../store/entities.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { artworkNotFound } from './find-artwork.ts';
import { Problem } from './problem.ts';
import { signalWorkflow } from './signal-workflow.ts';

/**
 * Returns whether the artwork has a running workflow, which delivers its event and purges it.
 * @throws Problem `not_cancelable` when the artwork has ended, `not_found` when it was deleted, or `unavailable`
 */
export async function cancelArtwork(
  deps: Pick<ServiceDependencies, 'db' | 'links' | 'temporal' | 'now' | 'newId'>,
  { id, org, finishedAt }: Artwork,
  author: Author,
): Promise<{ hasWorkflow: boolean }> {
  if (finishedAt) throw new Problem('not_cancelable');
  const at = new Date(deps.now());
  await recordChange(deps.db.em(), author, { org, action: 'artwork.canceled', target: id, changes: {}, at });
  // The signal comes first, so that the workflow cancels the artwork even if this process dies before it updates the
  // row.
  const hasWorkflow = await signalWorkflow(deps, id, 'cancel');
  const outcome = await endAsCanceled(deps, id);
  if (outcome === null) throw artworkNotFound();
  if (outcome !== 'CANCELED') throw new Problem('not_cancelable');
  return { hasWorkflow };
}

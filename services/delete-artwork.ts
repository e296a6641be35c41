/** Deletes an artwork and everything that belongs to it. No client can read any of it afterwards. */
import { deleteArtworkRows } from '../store/artworks.ts';
import { type Author, recordChange } from '../store/audit.ts';
import { destinationOf, resume } from '../store/destinations.ts';
import type { Artwork } from '../store/entities.ts';
import { eraseArtwork } from '../store/erase-artwork.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { cancelWorkflow, signalWorkflow } from './signal-workflow.ts';

type Deletion = Pick<ServiceDependencies, 'db' | 'files' | 'temporal' | 'log' | 'now'>;

/** Deletes an artwork on behalf of a client. @throws as `purgeArtwork` */
export async function deleteArtwork(deps: Deletion, artwork: Artwork, author: Author): Promise<void> {
  const { id: target, org } = artwork;
  const at = new Date(deps.now());
  await recordChange(deps.db.em(), author, { org, action: 'artwork.deleted', target, changes: {}, at });
  await purgeArtwork(deps, target);
  await forgetAddress(deps, artwork);
}

/**
 * Also deletes a synchronous request, which has no signals: its workflow is canceled, and purges it. Returns whether the
 * artwork has a running workflow, which deletes what is left.
 * @throws Problem `unavailable` when Temporal cannot be reached
 */
export async function purgeArtwork(
  { db, files, temporal, log, now }: Deletion,
  id: string,
): Promise<{ hasWorkflow: boolean }> {
  const isSynchronous = id.startsWith('ans_');
  const hasWorkflow = await (isSynchronous
    ? cancelWorkflow({ temporal }, id)
    : signalWorkflow({ temporal }, id, 'remove'));
  if (hasWorkflow) {
    // The workflow stops the work, deletes late results, and retries when the storage fails.
    await eraseArtwork(db, id, new Date(now()));
    await files
      .remove(id)
      .catch((err: unknown) => log.warn({ err, artworkId: id }, 'Could not delete files; the workflow retries'));
  } else {
    await files.remove(id);
    await deleteArtworkRows(db, id, new Date(now()));
  }
  return { hasWorkflow };
}

/**
 * Deletes the address of a deleted artwork, if its deliveries have failed. Failures of other artworks with this address are
 * counted from the start.
 */
async function forgetAddress({ db, now }: Pick<ServiceDependencies, 'db' | 'now'>, artwork: Artwork): Promise<void> {
  const { webhookUrl } = artwork;
  if (webhookUrl != null) await resume(db, destinationOf({ ...artwork, webhookUrl }), new Date(now()));
}

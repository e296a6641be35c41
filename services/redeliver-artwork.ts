/** Redelivers the event of an artwork now, whatever its schedule says. */
import { countRedelivery, takeBackRedelivery, unlimitedRedeliveries } from '../store/deliveries.ts';
import { findArtwork } from '../store/artworks.ts';
import { destinationOf, resume } from '../store/destinations.ts';
import type { Artwork } from '../store/entities.ts';
import { Problem } from './problem.ts';
import { reviveArtwork, type ReviveDependencies } from './revive.ts';
import { signalWorkflow } from './signal-workflow.ts';

/**
 * Signals a redelivery; if the workflow is gone, starts it again first. Ends a pause of the destination, because the client
 * expects an attempt. Returns false when the artwork is deleted.
 * @param limit maximum redeliveries of one artwork
 * @throws Problem `conflict` when there is nothing to redeliver, or `unavailable`; as `reviveArtwork`
 */
export async function redeliverArtwork(
  deps: ReviveDependencies,
  artwork: Artwork,
  limit = unlimitedRedeliveries,
): Promise<boolean> {
  const { id, webhookUrl, finishedAt } = artwork;
  if (webhookUrl == null) throw withoutWebhook();
  if (!finishedAt) throw conflict('The artwork has not ended, so it has no event yet.');
  await resume(deps.db, destinationOf({ ...artwork, webhookUrl }), new Date(deps.now()));
  // Counted before the signal, so that concurrent requests cannot exceed the limit.
  if (!(await countRedelivery(deps.db, id, limit))) {
    if (!(await findArtwork(deps.db, id))) return false;
    throw conflict(`An event can be redelivered ${limit} times at most. Read the artwork by its id.`);
  }
  if (await signalCounted(deps, id)) return true;
  const outcome = await reviveArtwork(deps, artwork, { restartUnfinished: false });
  if (outcome === 'purged') return false;
  // The revival takes every attempt that is not a counted redelivery for one of the schedule, so this one counts later.
  await countRedelivery(deps.db, id, unlimitedRedeliveries);
  return signalCounted(deps, id);
}

/** Signals a redelivery that is counted. Takes back the count when there is no workflow. */
async function signalCounted(deps: ReviveDependencies, id: string): Promise<boolean> {
  if (await signalWorkflow(deps, id, 'redeliver')) return true;
  await takeBackRedelivery(deps.db, id);
  return false;
}

export const withoutWebhook = () => conflict('The artwork was created without a webhookUrl.');

const conflict = (message: string) => new Problem('conflict', { message });

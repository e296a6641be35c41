/** Redelivers the event of an artwork now, whatever its schedule says. */
import { countRedelivery, takeBackRedelivery, unlimitedRedeliveries } from '../store/deliveries.ts';
import { allowProbe } from '../store/destinations.ts';
import type { Artwork } from '../store/entities.ts';
import { Problem } from './problem.ts';
import { reviveArtwork, type ReviveDependencies } from './revive.ts';
import { signalWorkflow } from './signal-workflow.ts';

/**
 * Signals a redelivery; if the workflow is gone, starts it again first. Returns false when the artwork is deleted.
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
  // Counted before the signal, so that concurrent requests cannot exceed the limit.
  if (!(await countRedelivery(deps.db, id, limit))) {
    throw conflict(`An event can be redelivered ${limit} times at most.`);
  }
  // The client expects an attempt, so it may be the one that finds the receiver working again.
  await allowProbe(deps.db, { org: artwork.org, origin: new URL(webhookUrl).origin }, new Date(deps.now()));
  if (await signalCounted(deps, id)) return true;
  const outcome = await reviveArtwork(deps, artwork, { restartUnfinished: false });
  // Counted after the revival, which takes the attempts that are not counted as redeliveries for those of the schedule.
  return outcome !== 'purged' && (await countRedelivery(deps.db, id, limit)) && signalCounted(deps, id);
}

/** Signals a redelivery that is counted. Takes back the count unless the workflow has received the signal. */
async function signalCounted(deps: ReviveDependencies, id: string): Promise<boolean> {
  let isSignaled = false;
  try {
    isSignaled = await signalWorkflow(deps, id, 'redeliver');
  } finally {
    if (!isSignaled) await takeBackRedelivery(deps.db, id);
  }
  return isSignaled;
}

export const withoutWebhook = () => conflict('The artwork was created without a webhookUrl.');

const conflict = (message: string) => new Problem('conflict', { message });

/** Redelivers the event of an artwork now, whatever its schedule says. */
import { countRedelivery, requestRedelivery, takeBackRedelivery, unlimitedRedeliveries } from '../store/deliveries.ts';
import { findArtwork } from '../store/artworks.ts';
import type { Author } from '../store/audit.ts';
import { destinationOf, findFailing, resume } from '../store/destinations.ts';
import type { Artwork } from '../store/entities.ts';
import { Problem } from './problem.ts';
import { reviveArtwork, type ReviveDependencies } from './revive.ts';
import { signalWorkflow } from './signal-workflow.ts';

/**
 * Signals a redelivery; if the workflow is gone, starts it again first. Ends a pause of the destination, because the client
 * expects an attempt. Returns false when the artwork is deleted.
 * @param author the author of the redelivery in the audit log
 * @param limit maximum redeliveries of one artwork
 * @throws Problem `conflict` when there is nothing to redeliver, or `unavailable`; as `reviveArtwork`
 */
export async function redeliverArtwork(
  deps: ReviveDependencies,
  artwork: Artwork,
  author: Author,
  limit = unlimitedRedeliveries,
): Promise<boolean> {
  const { id, webhookUrl, finishedAt } = artwork;
  if (webhookUrl == null) throw withoutWebhook();
  if (!finishedAt) throw conflict('The artwork has not ended, so it has no event yet.');
  // Counted before the signal, so that concurrent requests cannot exceed the limit.
  const counted = { author, org: artwork.org, at: new Date(deps.now()) };
  if (!(await requestRedelivery(deps.db, id, limit, counted))) {
    if (!(await findArtwork(deps.db, id))) return false;
    throw conflict(`An event can be redelivered ${limit} times at most. Read the artwork by its id.`);
  }
  await endPause(deps, { ...artwork, webhookUrl }, author);
  if (await signalCounted(deps, id)) return true;
  const outcome = await reviveArtwork(deps, artwork, { restartUnfinished: false });
  if (outcome === 'purged') return false;
  // The revival takes every attempt that is not a counted redelivery for one of the schedule, so this one counts later.
  await countRedelivery(deps.db, id, unlimitedRedeliveries);
  return signalCounted(deps, id);
}

/** Forgets the failures of a paused destination. Those of another one continue to count. */
async function endPause(
  { db, now }: ReviveDependencies,
  artwork: Artwork & { webhookUrl: string },
  author: Author,
): Promise<void> {
  const destination = destinationOf(artwork);
  if ((await findFailing(db, destination.id))?.pausedAt) await resume(db, destination, new Date(now()), author);
}

/** Signals a redelivery that is counted. Takes back the count unless Temporal has confirmed the signal. */
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

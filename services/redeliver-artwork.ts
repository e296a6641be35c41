/** Redelivers the event of an artwork now, whatever its schedule says. */
import { countRedelivery } from '../store/deliveries.ts';
import type { Artwork } from '../store/entities.ts';
import { Problem } from './problem.ts';
import { reviveArtwork, type ReviveDependencies } from './revive.ts';
import { signalWorkflow } from './signal-workflow.ts';

/**
 * Signals a redelivery; if the workflow is gone, starts it again first. Returns false when the artwork is deleted.
 * @param limit maximum redeliveries of one artwork
 * @throws Problem `conflict` when there is nothing to redeliver, or `unavailable`; as `reviveArtwork`
 */
export async function redeliverArtwork(deps: ReviveDependencies, artwork: Artwork, limit = Infinity): Promise<boolean> {
  const { id, webhookUrl, finishedAt, redeliveries } = artwork;
  if (webhookUrl == null) throw withoutWebhook();
  if (!finishedAt) throw conflict('The artwork has not ended, so it has no event yet.');
  if (redeliveries >= limit) throw conflict(`An event can be redelivered ${limit} times at most.`);
  const signal = () => signalWorkflow(deps, id, 'redeliver');
  if (!(await signal())) {
    const outcome = await reviveArtwork(deps, artwork, { restartUnfinished: false });
    if (outcome === 'purged' || !(await signal())) return false;
  }
  await countRedelivery(deps.db, id);
  return true;
}

export const withoutWebhook = () => conflict('The artwork was created without a webhookUrl.');

const conflict = (message: string) => new Problem('conflict', { message });

/** Redelivers the event of an artwork now, whatever its schedule says. */
import { countRedelivery } from '../store/deliveries.ts';
import type { Artwork } from '../store/entities.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';
import { signalWorkflow } from './signal-workflow.ts';

/**
 * Signals a redelivery. Returns false when the artwork has no running workflow that could deliver its event.
 * @param limit maximum redeliveries of one artwork
 * @throws Problem `conflict` when there is nothing to redeliver, or `unavailable`
 */
export async function redeliverArtwork(
  deps: Pick<ServiceDependencies, 'db' | 'temporal'>,
  { id, webhookUrl, finishedAt, redeliveries }: Artwork,
  limit = Infinity,
): Promise<boolean> {
  if (webhookUrl == null) throw withoutWebhook();
  if (!finishedAt) throw conflict('The artwork has not ended, so it has no event yet.');
  if (redeliveries >= limit) throw conflict(`An event can be redelivered ${limit} times at most.`);
  if (!(await signalWorkflow(deps, id, 'redeliver'))) return false;
  await countRedelivery(deps.db, id);
  return true;
}

export const withoutWebhook = () => conflict('The artwork was created without a webhookUrl.');

const conflict = (message: string) => new Problem('conflict', { message });

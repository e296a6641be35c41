/** One artwork, from the request to the purge. It knows ids and the plan's shape, never a prompt or a pixel. */
import { CancellationScope, patched, sleep } from '@temporalio/workflow';
import type { ArtworkInput, Ending, Outline } from '../schemas/workflow.ts';
import { begin, broken, ignoreCancellation, showClaim } from './begin.ts';
import { deliver } from './deliver.ts';
import { finish } from './finish.ts';
import { type Orders, takeOrders, unless } from './orders.ts';
import { perform } from './perform.ts';
import { purging } from './steps.ts';
import { tell } from './story.ts';

const canceled: Ending = { status: 'CANCELED', failure: null, failures: [] };

export async function artwork(input: ArtworkInput): Promise<void> {
  const orders = takeOrders();
  // Whatever is asked of it, what it leaves behind is purged at its end.
  await CancellationScope.nonCancellable(() => lead(input, orders));
}

async function lead(input: ArtworkInput, orders: Orders): Promise<void> {
  tell('waiting for the request to be stored');
  const outline = await begin(input);
  if (!outline) {
    tell('the request was never stored, or is deleted already');
    // Artworks of the first release ended here. A claim is kept until its retention would have ended: no insert is so late.
    if (!patched('claims-end')) return;
    showClaim();
  }
  const life = new CancellationScope();
  const living = life.run(async () => outline && live(input, outline, orders)).catch(ignoreCancellation);
  const retention = Math.max(input.expiresAt - Date.now(), 0);
  await unless(
    () => orders.removed,
    () => sleep(retention, { summary: 'retention' }),
  );
  life.cancel();
  await living;
  await purging.purge({ id: input.id });
  tell(orders.removed ? 'purged, as its client has asked' : 'purged');
}

async function live({ id, schedule }: ArtworkInput, outline: Outline | 'failed', orders: Orders): Promise<void> {
  const ending = outline === 'failed' ? broken : ((await work(id, outline, orders)) ?? canceled);
  await finish(id, ending);
  if (outline === 'failed' || outline.webhook) await deliver(id, schedule, orders);
  tell('kept until its retention ends');
}

const work = (id: string, outline: Outline, orders: Orders) =>
  unless(
    () => orders.canceled,
    () => perform(id, outline),
  );

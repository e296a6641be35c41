/** One artwork, from the request to the purge. It knows ids and the plan's shape, never a prompt or a pixel. */
import { CancellationScope, patched, sleep } from '@temporalio/workflow';
import type { ArtworkInput, Outline } from '../schemas/workflow.ts';
import { begin, broken, endClaim, ignoreCancellation, showStatus } from './begin.ts';
import { deliver } from './deliver.ts';
import { perform } from './perform.ts';
import { steps } from './steps.ts';
import { tell } from './story.ts';

export async function artwork(input: ArtworkInput): Promise<void> {
  tell('waiting for the request to be stored');
  const outline = await begin(input);
  if (!outline) {
    tell('the request was never stored; nobody was told that it was accepted');
    // Artworks of the first release ended here.
    if (patched('claims-end')) await endClaim(input);
    return;
  }
  const life = new CancellationScope();
  const living = life.run(() => live(input, outline)).catch(ignoreCancellation);
  await sleep(Math.max(input.expiresAt - Date.now(), 0), { summary: 'retention' });
  life.cancel();
  await living;
  await steps.purge({ id: input.id });
  tell('purged');
}

async function live({ id, schedule }: ArtworkInput, outline: Outline | 'failed'): Promise<void> {
  const ending = outline === 'failed' ? broken : await perform(id, outline);
  await steps.finish({ id, ending });
  showStatus(ending.status);
  tell(ending.failure ? `${ending.status}: ${ending.failure.code}` : ending.status);
  if (outline === 'failed' || outline.webhook) await deliver(id, schedule);
  tell('kept until its retention ends');
}

/** One artwork, from the request to the purge. The workflow knows ids and the plan's shape, never a prompt or a pixel. */
import { CancellationScope, patched, sleep } from '@temporalio/workflow';
import type { ArtworkInput, Ending, Outline } from '../schemas/workflow.ts';
import { purging } from './activities.ts';
import { begin, untilClaimEnds } from './begin.ts';
import { ignoreCancellation, runUnless } from './cancellation.ts';
import { deliver } from './deliver.ts';
import { addDetail } from './details.ts';
import { internalError } from './failures.ts';
import { finish } from './finish.ts';
import { perform } from './perform.ts';
import { type ReceivedSignals, receiveSignals } from './signals.ts';
import { setStatusOfClaim } from './visibility.ts';

const canceled: Ending = { status: 'CANCELED', failure: null, failures: [] };

export async function artwork(input: ArtworkInput): Promise<void> {
  const signals = receiveSignals();
  // Not cancellable: the purge must run after every cancellation.
  await CancellationScope.nonCancellable(() => runUntilPurge(input, signals));
}

async function runUntilPurge(input: ArtworkInput, signals: ReceivedSignals): Promise<void> {
  addDetail('waiting for the request to be stored');
  const outline = await begin(input);
  if (!outline) {
    addDetail('the request was never stored, or the artwork was deleted');
    // Artworks of the first release ended here. Later releases keep the claim until no insert can arrive.
    if (!patched('claims-end')) return;
    setStatusOfClaim();
  }
  const scope = new CancellationScope();
  const running = scope
    .run(async () => outline && performAndDeliver(input, outline, signals))
    .catch(ignoreCancellation);
  const retention = outline ? Math.max(input.expiresAt - Date.now(), 0) : untilClaimEnds(input);
  await runUnless(
    () => signals.remove,
    () => sleep(retention, { summary: 'retention' }),
  );
  scope.cancel();
  await running;
  await purging.purge({ id: input.id });
  addDetail(signals.remove ? 'purged after a deletion' : 'purged');
}

async function performAndDeliver(
  { id, schedule }: ArtworkInput,
  outline: Outline | 'failed',
  signals: ReceivedSignals,
): Promise<void> {
  const ending = outline === 'failed' ? internalError : await performUnlessCanceled(id, outline, signals);
  await finish(id, ending);
  if (outline === 'failed') await deliver(id, schedule, signals);
  else if (outline.webhook) await deliver(id, schedule, signals, outline.earlier);
  addDetail('kept until its retention ends');
}

async function performUnlessCanceled(id: string, outline: Outline, signals: ReceivedSignals): Promise<Ending> {
  const ending = await runUnless(
    () => signals.cancel,
    () => perform(id, outline),
  );
  return ending ?? canceled;
}

/** Ends an artwork: status, error, and the bytes of its one event, frozen. Once, however often it is called. */
import type { Ending } from '../schemas/workflow.ts';
import { endArtwork } from '../store/artworks.ts';
import { viewArtwork, viewEvent } from '../store/view.ts';
import type { Dependencies } from './dependencies.ts';

export async function finish(deps: Dependencies, { id, ending }: { id: string; ending: Ending }): Promise<void> {
  await endArtwork(deps.db, id, (artwork, images) => {
    const finishedAt = new Date(deps.now());
    const end = {
      status: ending.status,
      errorCode: ending.failure?.code ?? null,
      errorMessage: ending.failure?.message ?? null,
      failures: ending.failures.length > 0 ? ending.failures : null,
      finishedAt,
      eventId: deps.newEventId(),
    };
    const view = viewArtwork({ ...artwork, ...end }, images, deps.links);
    return { ...end, eventBody: JSON.stringify(viewEvent(view, end.eventId, finishedAt)) };
  });
}

/** Follows one artwork until it ends. */
import type { Dependencies } from '../dependencies.ts';
import { openEventStream } from '../stream/event-stream.ts';
import { hasSeenEnd } from '../stream/events.ts';
import { openFeed } from '../stream/feed.ts';
import type { Handler } from '../http/handler.ts';
import { visibleArtwork } from './artworks.ts';

export function streamEvents(deps: Dependencies): Handler {
  const feed = openFeed(deps);
  return async (call) => {
    const { request, response, key } = call;
    const { id: artworkId, finishedAt } = await visibleArtwork(deps, call);
    const lastEventId = request.get('last-event-id');
    // Tells an EventSource, which comes back whenever a stream closes, that nothing more is to come.
    if (finishedAt && hasSeenEnd(lastEventId)) return void response.status(204).end();
    feed.admit(key.id);
    if (response.destroyed) return;
    const stream = openEventStream(response);
    if (request.method === 'HEAD') stream.end();
    else feed.follow({ artworkId, keyId: key.id, lastEventId, stream });
  };
}

/** Streams the events of one artwork until it ends. */
import { findUsableArtwork } from '../../services/find-artwork.ts';
import { beginWithin } from '../../services/in-progress.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler } from '../http/handler.ts';
import { openEventStream } from '../stream/event-stream.ts';
import { hasSeenEnd } from '../stream/events.ts';
import { openFeed } from '../stream/feed.ts';

export function streamEvents(deps: Dependencies): Handler<'streamEvents'> {
  const feed = openFeed(deps);
  return async ({ request, response, key, params }) => {
    const { id: artworkId, finishedAt } = await findUsableArtwork(deps, key, params.id, 'read');
    const lastEventId = request.get('last-event-id');
    // An EventSource reconnects whenever a stream closes. A 204 makes it stop.
    if (finishedAt && hasSeenEnd(lastEventId)) return void response.status(204).end();
    const { streams } = await deps.limitsOf(key.org);
    feed.admit(key.id);
    if (response.destroyed) return;
    const held = beginWithin(deps.inProgress, 'streams', key, streams);
    const stream = openEventStream(response);
    void stream.closed.then(held.end);
    if (request.method === 'HEAD') stream.end();
    else feed.follow({ artworkId, keyId: key.id, lastEventId, stream });
  };
}

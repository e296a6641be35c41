/** What happened to an artwork, as far as it has come. */
import { findTimeline } from '../../services/timeline.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler } from '../http/handler.ts';
import { visibleArtwork } from './artworks.ts';

export function readTimeline(deps: Dependencies): Handler {
  return async (call) => {
    const artwork = await visibleArtwork(deps, call);
    call.response.json({ items: await findTimeline(deps.db, artwork), nextCursor: null });
  };
}

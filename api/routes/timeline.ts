/** Reads the timeline of an artwork. */
import { findUsableArtwork } from '../../services/find-artwork.ts';
import { findTimeline } from '../../services/timeline.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler } from '../http/handler.ts';

export function readTimeline(deps: Dependencies): Handler<'readTimeline'> {
  return async ({ key, params, response }) => {
    const artwork = await findUsableArtwork(deps, key, params.id, 'read');
    response.json({ items: await findTimeline(deps.db, artwork), nextCursor: null });
  };
}

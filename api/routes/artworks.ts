/** Reads an artwork, and its deliveries. */
import { showArtworks } from '../../services/artwork-views.ts';
import { findUsableArtwork } from '../../services/find-artwork.ts';
import { findDeliveries } from '../../store/deliveries.ts';
import type { Delivery } from '../../store/entities.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler } from '../http/handler.ts';

export function readArtwork(deps: Dependencies): Handler<'readArtwork'> {
  return async ({ key, params, response }) => {
    const [shown] = await showArtworks(deps, [await findUsableArtwork(deps, key, params.id, 'read')]);
    response.json(shown?.view);
  };
}

export function listDeliveries(deps: Dependencies): Handler<'listDeliveries'> {
  return async ({ key, params, response }) => {
    const { id } = await findUsableArtwork(deps, key, params.id, 'read');
    const deliveries = await findDeliveries(deps.db, id);
    response.json({ items: deliveries.map(viewDelivery), nextCursor: null });
  };
}

function viewDelivery({ attempt, at, url, status, error, durationMs, nextAt }: Delivery) {
  return {
    attempt,
    at: at.toISOString(),
    url,
    status: status ?? null,
    error: error ?? null,
    durationMs,
    nextAt: nextAt?.toISOString() ?? null,
  };
}

/** Reading artworks and their deliveries. */
import type { Delivery } from '../../store/entities.ts';
import { mayRead } from '../../store/artwork-list.ts';
import { findArtwork } from '../../store/artworks.ts';
import { findDeliveries } from '../../store/deliveries.ts';
import type { Artwork } from '../../store/entities.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Call, type Handler, param } from '../http/handler.ts';
import { Problem } from '../../services/problem.ts';
import { showArtworks } from '../../services/artwork-views.ts';

export function readArtwork(deps: Dependencies): Handler {
  return async (call) => {
    const [shown] = await showArtworks(deps, [await visibleArtwork(deps, call)]);
    call.response.json(shown?.view);
  };
}

export function listDeliveries(deps: Dependencies): Handler {
  return async (call) => {
    const { id } = await visibleArtwork(deps, call);
    const deliveries = await findDeliveries(deps.db, id);
    call.response.json({ items: deliveries.map(viewDelivery), nextCursor: null });
  };
}

/** @throws Problem 404 for what is not there, has expired, or is not the caller's to see */
export async function visibleArtwork(deps: Dependencies, call: Call): Promise<Artwork> {
  const artwork = await findArtwork(deps.db, param(call, 'id'));
  if (artwork && mayRead(call.key, artwork, new Date(deps.now()))) return artwork;
  throw noArtwork();
}

export const noArtwork = () => new Problem('not_found', { message: 'There is no such artwork, or it has expired.' });

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

/** Reading artworks and their deliveries. */
import type { Delivery } from '../../store/entities.ts';
import { findArtwork, findImages, findResults } from '../../store/artworks.ts';
import { findDeliveries } from '../../store/deliveries.ts';
import type { Artwork } from '../../store/entities.ts';
import { waitsForProvider } from '../../store/tries.ts';
import { viewArtwork } from '../../store/view.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Call, type Handler, param } from '../handler.ts';
import { Problem } from '../problem.ts';

export function readArtwork(deps: Dependencies): Handler {
  return async (call) => {
    const artwork = await visibleArtwork(deps, call);
    const images = artwork.status === 'SUCCEEDED' ? await findImages(deps.db, artwork.id) : [];
    call.response.json(viewArtwork(artwork, images, deps.links, await stageOf(deps, artwork)));
  };
}

/** What a running artwork is at: the first stage of its plan of which a call is open. */
async function stageOf({ db }: Dependencies, { id, status, plan }: Artwork): Promise<string | null> {
  if (status !== 'PROCESSING' || !plan) return null;
  const [results, waits] = await Promise.all([findResults(db, id), waitsForProvider(db, id)]);
  if (waits) return 'waiting for provider';
  return plan.stages.find(({ calls }) => calls.some((call) => !results.has(call.id)))?.name ?? null;
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
  const { key } = call;
  const artwork = await findArtwork(deps.db, param(call, 'id'));
  const visible =
    // Answers are kept for a minute under ids of their own, for nobody to read.
    artwork?.id.startsWith('art_') === true &&
    artwork.org === key.org &&
    key.domains.includes(artwork.domain) &&
    (key.scope !== 'generator' || artwork.key === key.id) &&
    artwork.expiresAt.getTime() > deps.now();
  if (!visible) throw noArtwork();
  return artwork;
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

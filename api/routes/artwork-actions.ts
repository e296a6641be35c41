/** Actions on an artwork after its 202: cancel, delete, redeliver, change its webhook URL. */
import { viewArtwork } from '../../schemas/artwork-view.ts';
import { cancelArtwork as cancel } from '../../services/cancel-artwork.ts';
import { deleteArtwork as remove } from '../../services/delete-artwork.ts';
import { artworkNotFound, findUsableArtwork } from '../../services/find-artwork.ts';
import { Problem } from '../../services/problem.ts';
import { redeliverArtwork as redeliver, withoutWebhook } from '../../services/redeliver-artwork.ts';
import { findArtwork } from '../../store/artworks.ts';
import { findImages } from '../../store/results.ts';
import { changeWebhookUrl, hasAttemptsLeft, maxRedeliveries } from '../../store/deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler, type KeyCall } from '../http/handler.ts';

export function cancelArtwork(deps: Dependencies): Handler<'cancelArtwork'> {
  return async (call) => {
    const artwork = await findUsableArtwork(deps, call.key, call.params.id, 'change');
    await cancel(deps, artwork, authorOf(call));
    await sendArtwork(deps, call, 202, artwork.id);
  };
}

export function deleteArtwork(deps: Dependencies): Handler<'deleteArtwork'> {
  return async (call) => {
    const artwork = await findUsableArtwork(deps, call.key, call.params.id, 'change');
    await remove(deps, artwork, authorOf(call));
    call.response.status(204).end();
  };
}

export function updateArtwork(deps: Dependencies): Handler<'updateArtwork'> {
  return async (call) => {
    await findUsableArtwork(deps, call.key, call.params.id, 'change');
    const { webhookUrl } = await call.readBody();
    // Again, because the artwork can change while the client sends the body.
    const artwork = await findUsableArtwork(deps, call.key, call.params.id, 'change');
    if (!(await hasAttemptsLeft(deps.db, artwork))) {
      if (artwork.webhookUrl == null) throw withoutWebhook();
      const message = 'No delivery attempt is left that could use another webhookUrl. Read the artwork by its id.';
      throw new Problem('conflict', { message });
    }
    const authorship = { author: authorOf(call), org: artwork.org, at: new Date(deps.now()) };
    await changeWebhookUrl(deps.db, artwork.id, webhookUrl, authorship);
    await sendArtwork(deps, call, 200, artwork.id);
  };
}

export function redeliverArtwork(deps: Dependencies): Handler<'redeliverArtwork'> {
  return async (call) => {
    const artwork = await findUsableArtwork(deps, call.key, call.params.id, 'change');
    if (!(await redeliver(deps, artwork, authorOf(call), maxRedeliveries))) throw artworkNotFound();
    await sendArtwork(deps, call, 202, artwork.id);
  };
}

/** @throws Problem `not_found` when the artwork was deleted meanwhile */
async function sendArtwork(deps: Dependencies, { response }: KeyCall, status: number, id: string): Promise<void> {
  const artwork = await findArtwork(deps.db, id);
  if (!artwork) throw artworkNotFound();
  const images = artwork.status === 'SUCCEEDED' ? await findImages(deps.db, id) : [];
  response.status(status).json(viewArtwork(artwork, images, deps.links));
}

/** What is done to artworks after their 202: canceled, deleted, delivered again, delivered elsewhere. */
import { deleteArtwork as purge, findArtwork, findImages } from '../../store/artworks.ts';
import { cancelArtwork as cancel } from '../../store/cancel.ts';
import { changeWebhookUrl, countRedelivery, hasAttemptsLeft, maxRedeliveries } from '../../store/deliveries.ts';
import { eraseArtwork } from '../../store/erase-artwork.ts';
import { viewArtwork } from '../../schemas/artwork-view.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, Handler } from '../http/handler.ts';
import { Problem } from '../../services/problem.ts';
import { tellWorkflow } from '../../services/signal-workflow.ts';
import { noArtwork, visibleArtwork } from './artworks.ts';

/** The workflow first: what it was told it does, also when this process dies before it has ended the artwork itself. */
export function cancelArtwork(deps: Dependencies): Handler {
  return async (call) => {
    const { id, finishedAt } = await visibleArtwork(deps, call);
    if (finishedAt) throw new Problem('not_cancelable');
    await tellWorkflow(deps, id, 'cancel');
    const outcome = await cancel(deps, id);
    if (outcome && outcome !== 'CANCELED') throw new Problem('not_cancelable');
    await answer(deps, call, 202, id);
  };
}

/** The workflow stops the work and removes what comes late; nobody can read anything once this has answered. */
export function deleteArtwork(deps: Dependencies): Handler {
  return async (call) => {
    const { id } = await visibleArtwork(deps, call);
    const { db, files, log } = deps;
    if (await tellWorkflow(deps, id, 'remove')) {
      await eraseArtwork(db, id, new Date(deps.now()));
      // A storage that fails is the workflow's to try again.
      await files.remove(id).catch((err: unknown) => log.warn({ err, artworkId: id }, 'files are still to be removed'));
    } else {
      await files.remove(id);
      await purge(db, id, new Date(deps.now()));
    }
    call.response.status(204).end();
  };
}

export function updateArtwork(deps: Dependencies): Handler {
  return async (call) => {
    const artwork = await visibleArtwork(deps, call);
    if (!(await hasAttemptsLeft(deps.db, artwork))) {
      const message =
        'No try to deliver is left, so another webhookUrl would change nothing. Read the artwork by its id.';
      throw new Problem('conflict', { message: artwork.webhookUrl == null ? noReceiver : message });
    }
    await changeWebhookUrl(deps.db, artwork.id, String(call.body['webhookUrl']));
    await answer(deps, call, 200, artwork.id);
  };
}

export function redeliverArtwork(deps: Dependencies): Handler {
  return async (call) => {
    const { id, webhookUrl, finishedAt, redeliveries } = await visibleArtwork(deps, call);
    if (webhookUrl == null) throw new Problem('conflict', { message: noReceiver });
    if (!finishedAt) throw new Problem('conflict', { message: 'There is no event before the artwork has ended.' });
    if (redeliveries >= maxRedeliveries) {
      throw new Problem('conflict', { message: `An event is redelivered ${maxRedeliveries} times at most.` });
    }
    if (!(await tellWorkflow(deps, id, 'redeliver'))) throw noArtwork();
    await countRedelivery(deps.db, id);
    await answer(deps, call, 202, id);
  };
}

const noReceiver = 'This artwork was asked for without a webhookUrl.';

/** @throws Problem 404 when it was deleted meanwhile */
async function answer(deps: Dependencies, { response }: Call, status: number, id: string): Promise<void> {
  const artwork = await findArtwork(deps.db, id);
  if (!artwork) throw noArtwork();
  const images = artwork.status === 'SUCCEEDED' ? await findImages(deps.db, id) : [];
  response.status(status).json(viewArtwork(artwork, images, deps.links));
}

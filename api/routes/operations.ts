/** The routes of an operation: its creation, then its listings. `services/create-artwork.ts` creates the artwork. */
import type { Request, RequestHandler, Response } from 'express';
import { pauseDeadline, withDeadline } from '../../runtime/deadline.ts';
import { requestTimeout } from '../../runtime/timeouts.ts';
import { limitBody } from '../../schemas/body-limits.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { type Operation, operationEndpoints } from '../../schemas/operation.ts';
import { createArtwork, type Creation, type CreationRequest, priceArtwork } from '../../services/create-artwork.ts';
import { lookUpEarlier } from '../../services/idempotency.ts';
import type { Validator } from '../../services/validate.ts';
import { preferredWait, waitForArtwork } from '../../services/wait-for-artwork.ts';
import { waitForResult } from '../../services/wait-for-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { authenticate } from '../http/authenticate.ts';
import { readConfirmedBody } from '../http/confirmed-body.ts';
import { readCreationOptions } from '../http/creation-options.ts';
import { admit, type Route, serve } from '../http/router.ts';

export function operationRoutes(deps: Dependencies, validator: Validator, operation: Operation): Route[] {
  const [creation, ...listings] = operationEndpoints(operation);
  if (!creation) return [];
  return [
    { endpoint: creation, handle: serveCreation(deps, validator, operation, creation) },
    ...listings.map((endpoint, index) => {
      const list = operation.listings[index]?.body;
      return { endpoint, handle: serve(deps, validator, endpoint, ({ response }) => void response.json(list)) };
    }),
  ];
}

/** Like `serve`, but reports all faults at once and looks up the idempotency key while it reads the body. */
function serveCreation(
  deps: Dependencies,
  validator: Validator,
  operation: Operation,
  endpoint: Endpoint,
): RequestHandler {
  const validate = validator.compile(operation.request);
  const limit = limitBody(operation.request);
  const create = async (request: Request, response: Response) => {
    const key = await authenticate(deps, request, response);
    const { isDryRun, idempotencyKey, failures } = readCreationOptions(request);
    // Runs while the request is counted and its body is read, so that it adds no time.
    const idempotency = idempotencyKey === null ? null : lookUpEarlier(deps.db, key, idempotencyKey);
    await admit(deps, response, key, endpoint);
    const withBody = <T>(use: (creation: CreationRequest) => Promise<T>) =>
      deps.bytesInFlight.hold(key, async (reserve) => {
        const body = await readConfirmedBody(deps, request, response, { limit, reserve });
        const requestId = request.id as string;
        return use({ key, body, validate, optionFailures: failures, idempotency, requestId });
      });

    if (isDryRun) return void response.json(await withBody((creation) => priceArtwork(deps, operation, creation)));
    const created = await withBody((creation) => createArtwork(deps, operation, creation));
    if (operation.synchronous) {
      if (created.replayed) response.set(replayedHeader, 'true');
      const awaited = { id: created.artwork.id, isKept: idempotencyKey !== null };
      response.json(await pauseDeadline(() => waitForResult(deps, operation, awaited, whenGone(response))));
    } else {
      await pauseDeadline(() => respond(deps, response, created));
    }
  };
  return (request, response) => withDeadline(requestTimeout, () => create(request, response));
}

const replayedHeader = 'Idempotency-Replayed';

/** Sends the 202, or the artwork if the client waits for it and it ends in time. */
async function respond(deps: Dependencies, response: Response, { artwork, replayed }: Creation): Promise<void> {
  response.location(`/v2/artworks/${artwork.id}`);
  if (replayed) response.set(replayedHeader, 'true');
  const wait = preferredWait(response.req.get('prefer'));
  const ended = wait > 0 ? await waitForArtwork(deps, artwork.id, wait, whenGone(response)) : null;
  response.locals['artworkId'] = artwork.id;
  if (!ended && !replayed) response.locals['accepted'] = artwork.operation;
  response.status(ended ? 200 : 202).json(ended ?? artwork);
}

/** Returns a signal that aborts when the client disconnects. */
function whenGone(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** The routes of an operation: its creation, then its listings. `services/create-artwork.ts` creates the artwork. */
import type { Request, RequestHandler, Response } from 'express';
import { pauseDeadline, withDeadline } from '../../runtime/deadline.ts';
import { requestTimeout } from '../../runtime/timeouts.ts';
import { limitBody } from '../../schemas/body-limits.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { type Operation, operationEndpoints } from '../../schemas/operation.ts';
import { createArtwork, type Creation } from '../../services/create-artwork.ts';
import type { CreationRequest } from '../../services/creation-request.ts';
import { lookUpEarlier } from '../../services/idempotency.ts';
import { beginWithin } from '../../services/in-progress.ts';
import { priceArtwork } from '../../services/price-artwork.ts';
import type { Validator } from '../../services/validate.ts';
import { preferredWait, waitForArtwork } from '../../services/wait-for-artwork.ts';
import { waitForResult } from '../../services/wait-for-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { authenticate, confirmKey } from '../http/authenticate.ts';
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
  const create = async (request: Request, response: Response, gone: AbortSignal) => {
    const authenticated = performance.now();
    const key = await authenticate(deps, request, response);
    const { isDryRun, idempotencyKey, failures } = readCreationOptions(request);
    // Runs while the request is counted and its body is read, so that it adds no time.
    const idempotency = idempotencyKey === null ? null : lookUpEarlier(deps.db, key, idempotencyKey);
    await admit(deps, response, key, endpoint);
    const limits = await deps.limitsOf(key.org);
    const withBody = <T>(use: (creation: CreationRequest) => Promise<T>) =>
      deps.bytesInFlight.hold(key, async (reserve) => {
        const body = await readConfirmedBody(deps, request, response, { limit, reserve });
        const requestId = request.id as string;
        return deps.creationSlots.run(key.org, gone, async () => {
          await confirmKey(deps, request, response, authenticated);
          return use({
            ...{ key, body, validate, optionFailures: failures, idempotency, requestId },
            limits: { limits, inProgress: deps.inProgress },
          });
        });
      });

    if (isDryRun) return void response.json(await withBody((creation) => priceArtwork(deps, operation, creation)));
    const waits = operation.synchronous !== undefined || preferredWait(request.get('prefer')) > 0;
    // Before the creation, so that nothing is stored when too many requests wait.
    const waiting = waits ? beginWithin(deps.inProgress, 'waitingRequests', key, limits.waitingRequests) : null;
    try {
      const created = await withBody((creation) => createArtwork(deps, operation, creation));
      await pauseDeadline(() =>
        respond(deps, operation, response, { ...created, isKept: idempotencyKey !== null, gone }),
      );
    } finally {
      waiting?.end();
    }
  };
  return async (request, response) => {
    const gone = whenGone(response);
    try {
      await withDeadline(requestTimeout, () => create(request, response, gone));
    } catch (error) {
      // The client disconnected while its creation waited: there is nobody to respond to.
      if (!gone.aborted || error !== gone.reason) throw error;
    }
  };
}

const replayedHeader = 'Idempotency-Replayed';

/** Sends the result of a synchronous request; otherwise the 202, or the artwork if the client waits and it ends in time. */
async function respond(
  deps: Dependencies,
  operation: Operation,
  response: Response,
  { artwork, replayed, isKept, gone }: Creation & { isKept: boolean; gone: AbortSignal },
): Promise<void> {
  if (replayed) response.set(replayedHeader, 'true');
  if (operation.synchronous) {
    const awaited = { id: artwork.id, isKept };
    return void response.json(await waitForResult(deps, operation, awaited, gone));
  }
  response.location(`/v2/artworks/${artwork.id}`);
  const wait = preferredWait(response.req.get('prefer'));
  const ended = wait > 0 ? await waitForArtwork(deps, artwork.id, wait, gone) : null;
  response.locals['artworkId'] = artwork.id;
  if (!ended && !replayed) response.locals['accepted'] = artwork.operation;
  response.status(ended ? 200 : 202).json(ended ?? artwork);
}

/** Returns a signal that aborts when the client disconnects. */
function whenGone(response: Response): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}

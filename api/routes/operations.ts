/** The generic routes of an operation: its creation, then its listings in their order. */
import type { Response } from 'express';
import type { Accepted } from '../../schemas/artwork.ts';
import { type Operation, operationEndpoints } from '../../schemas/operation.ts';
import { findByIdempotencyKey } from '../../store/idempotency.ts';
import { accept, type Asking } from '../../services/create-artwork.ts';
import { answer } from '../../services/synchronous-request.ts';
import { idempotencyKeyOf, idempotencyOf, isDryRun, refuseOptions } from '../http/creation-options.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call } from '../http/handler.ts';
import { takeIn } from '../../services/intake.ts';
import { orderOf, viewDryRun } from '../../services/order.ts';
import { viewReplay } from '../../services/replay.ts';
import type { Route } from '../http/router.ts';
import { preferredWait, waitForEnd } from '../../services/wait.ts';

export function operationRoutes(deps: Dependencies, operation: Operation): Route[] {
  const [creation, ...listings] = operationEndpoints(operation);
  if (!creation) return [];
  const create: Route = {
    endpoint: creation,
    refuse: (request) => refuseOptions(request, operation),
    identify: (request, body) => idempotencyOf(request, operation, body),
    recall: async (request, key) => {
      const idempotencyKey = idempotencyKeyOf(request);
      return idempotencyKey && findByIdempotencyKey(deps.db, key.id, idempotencyKey);
    },
    replay: async (call, idempotency, earlier) => {
      const first = viewReplay(earlier, idempotency);
      if (first) await answerWith(deps, call, { artwork: first, replayed: true });
      return first !== null;
    },
    takeIn: (key, body, faults) => takeIn(deps, operation, key, body, faults),
    handler: async (call) => {
      const { request, response, key, intake } = call;
      if (isDryRun(request)) {
        return void response.json(viewDryRun(operation, key, orderOf(deps, operation, key, intake)));
      }
      if (operation.answer) return void response.json(await answer(deps, operation, asking(call), whenGone(response)));
      await answerWith(deps, call, await accept(deps, operation, asking(call)));
    },
  };
  const lists = listings.map((endpoint, index): Route => ({
    endpoint,
    handler: ({ response }) => void response.json(operation.listings[index]?.body),
  }));
  return [create, ...lists];
}

/** The 202, or the artwork where its client waits for it and it ends in time. */
async function answerWith(
  deps: Dependencies,
  { request, response }: Pick<Call, 'request' | 'response'>,
  { artwork, replayed }: { artwork: Accepted; replayed: boolean },
): Promise<void> {
  response.location(`/v2/artworks/${artwork.id}`);
  if (replayed) response.set('Idempotency-Replayed', 'true');
  const wait = preferredWait(request.get('prefer'));
  const ended = wait > 0 ? await waitForEnd(deps, artwork.id, wait, whenGone(response)) : null;
  response.locals['artworkId'] = artwork.id;
  if (!ended && !replayed) response.locals['accepted'] = artwork.operation;
  response.status(ended ? 200 : 202).json(ended ?? artwork);
}

const asking = ({ request, ...call }: Call): Asking => ({ ...call, requestId: request.id as string });

/** Aborts when the client goes away. */
function whenGone(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

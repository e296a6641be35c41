/** One attempt to deliver the event of an artwork: signs it, sends it and stores the result. */
import { deliveryTimeout } from '../schemas/webhook.ts';
import type { DeliveryResult, DeliveryAttempt } from '../schemas/workflow.ts';
import { version } from '../runtime/version.ts';
import { findArtwork } from '../store/artworks.ts';
import { findDelivery, saveDelivery } from '../store/deliveries.ts';
import { destinationOf } from '../store/destinations.ts';
import type { Artwork } from '../store/entities.ts';
import { privateSigningKeys } from '../store/signing-keys.ts';
import { signingSecrets } from '../store/webhook-secrets.ts';
import { claimAttempt, isPaused, recordAttempt, returnClaim, stateOf } from './destination.ts';
import { outcomeOf, pausedError } from './delivery-outcome.ts';
import type { AcquireSlot } from './delivery-slots.ts';
import { describeStatus, isFinalStatus, parseRetryAfter } from './delivery-status.ts';
import type { Dependencies } from './dependencies.ts';
import type { PostResult } from './outbound.ts';
import { deliveryWriteTimeout, retryWrite } from './retry-write.ts';
import { signatureHeaders } from './signature.ts';

/** An artwork with an event for a receiver. */
type EndedArtwork = Artwork & { webhookUrl: string; eventId: string; eventBody: string };

/**
 * Makes one attempt, unless its destination is paused; the attempt then fails without a request.
 * @param signal aborts when the delivery is canceled or the worker stops; such an attempt is not stored
 */
export async function deliver(
  deps: Dependencies,
  delivery: DeliveryAttempt,
  acquireSlot: AcquireSlot,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const artwork = await findArtwork(deps.db, delivery.id);
  // From here on, a failure is logged with the request.
  deps.nameRequest(artwork?.requestId);
  const previous = await findDelivery(deps.db, delivery.id, delivery.attempt);
  if (!artwork || !hasEvent(artwork)) return { result: 'done' };
  // A worker stored this attempt and died before it returned, so the event must not be sent again.
  if (previous) return resultOf(previous.nextAt ?? null, deps.now());

  const destination = destinationOf(artwork);
  const state = await stateOf(deps, destination);
  const at = deps.now();
  if (isPaused(state, at)) return store(deps, artwork, delivery, { at, response: pausedResponse });
  const slot = acquireSlot({ org: artwork.org, host: new URL(artwork.webhookUrl).host });
  if (!slot) return { result: 'deferred' };
  try {
    if (!(await claimAttempt(deps, destination, state))) {
      return await store(deps, artwork, delivery, { at, response: pausedResponse });
    }
    const sent = await send(deps, artwork, signal).catch(async (error: unknown) => {
      await returnClaim(deps, destination, state);
      throw error;
    });
    const result = await store(deps, artwork, delivery, sent);
    const { id, expiresAt } = artwork;
    await recordAttempt(deps, destination, { state, error: errorOf(sent.response), artwork: id, expiresAt });
    return result;
  } finally {
    slot.release();
  }
}

const hasEvent = (artwork: Artwork): artwork is EndedArtwork =>
  Boolean(artwork.webhookUrl && artwork.eventId && artwork.eventBody);

const pausedResponse: PostResult = { status: null, error: pausedError, retryAfter: null };

interface Sent {
  /** Epoch milliseconds. */
  at: number;
  response: PostResult;
}

/** Signs and sends the event. @throws the reason of the signal when it aborts */
async function send(deps: Dependencies, artwork: EndedArtwork, signal: AbortSignal): Promise<Sent> {
  const { org, webhookUrl, eventId, eventBody: body } = artwork;
  const now = new Date(deps.now());
  const secrets = await signingSecrets(deps.db, deps.vault, org, now);
  const privateKeys = await privateSigningKeys(deps.db, deps.vault, org, now);
  const at = deps.now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Atelier-Webhooks/${version}`,
    ...signatureHeaders({ eventId, timestamp: Math.floor(at / 1000), body }, secrets, privateKeys),
  };
  const response = await deps.outbound.post(webhookUrl, headers, body, { timeout: deliveryTimeout, signal });
  if (response.status === null) signal.throwIfAborted();
  deps.metrics.deliverySeconds.observe((deps.now() - at) / 1000);
  return { at, response };
}

const errorOf = ({ status, error }: PostResult) => error ?? describeStatus(status);

/** Stores an attempt. */
async function store(
  deps: Dependencies,
  artwork: EndedArtwork,
  { id, attempt, nextWait }: DeliveryAttempt,
  { at, response }: Sent,
): Promise<DeliveryResult> {
  const now = deps.now();
  const { status } = response;
  const outcome = outcomeOf(response);
  deps.metrics.deliveries.inc({ outcome });
  const isLast = isFinalStatus(status) || nextWait === null;
  const wait = isLast ? null : Math.max(nextWait, parseRetryAfter(response.retryAfter, now));
  const nextAt = wait === null ? null : new Date(now + wait);
  const error = errorOf(response);
  const { webhookUrl: url } = artwork;
  const delivery = { artwork: id, attempt, at: new Date(at), url, status, error, durationMs: now - at, nextAt };
  const isOver = await retryWrite(deps, deliveryWriteTimeout, () => saveDelivery(deps.db, delivery));
  if (isOver && outcome !== 'delivered') {
    deps.metrics.givenUp.inc({ outcome });
    deps.log.warn({ artworkId: id, orgId: artwork.org, outcome }, 'Gave up the delivery of an event');
  }
  return resultOf(nextAt, now);
}

function resultOf(nextAt: Date | null, now: number): DeliveryResult {
  return nextAt === null ? { result: 'done' } : { result: 'failed', wait: Math.max(nextAt.getTime() - now, 0) };
}

/** One attempt to deliver the event of an artwork: signs it, sends it and stores the result. */
import { deliveryTimeout } from '../schemas/webhook.ts';
import type { DeliveryResult, DeliveryAttempt } from '../schemas/workflow.ts';
import { version } from '../runtime/version.ts';
import { findArtwork } from '../store/artworks.ts';
import { findDelivery, saveDelivery } from '../store/deliveries.ts';
import { signingSecrets } from '../store/webhook-secrets.ts';
import { outcomeOf } from './delivery-outcome.ts';
import type { AcquireSlot } from './delivery-slots.ts';
import { describeStatus, isFinalStatus, parseRetryAfter } from './delivery-status.ts';
import type { Dependencies } from './dependencies.ts';
import { deliveryWriteTimeout, retryWrite } from './retry-write.ts';
import { signatureHeaders } from './signature.ts';

/**
 * Makes one attempt.
 * @param signal aborts when the delivery is canceled or the worker stops; such an attempt is not stored
 */
export async function deliver(
  deps: Dependencies,
  { id, attempt, nextWait }: DeliveryAttempt,
  acquireSlot: AcquireSlot,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const artwork = await findArtwork(deps.db, id);
  // From here on, a failure is logged with the request.
  deps.nameRequest(artwork?.requestId);
  const previous = await findDelivery(deps.db, id, attempt);
  if (!artwork?.webhookUrl || !artwork.eventId || !artwork.eventBody) return { result: 'done' };
  const { webhookUrl: url, eventId, eventBody: body } = artwork;
  // A worker stored this attempt and died before it returned, so the event must not be sent again.
  if (previous) return resultOf(previous.nextAt ?? null, deps.now());

  const slot = acquireSlot({ org: artwork.org, host: new URL(url).host });
  if (!slot) return { result: 'deferred' };
  try {
    const secrets = await signingSecrets(deps.db, deps.vault, artwork.org, new Date(deps.now()));
    const at = deps.now();
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Atelier-Webhooks/${version}`,
      ...signatureHeaders({ eventId, timestamp: Math.floor(at / 1000), body }, secrets),
    };
    const response = await deps.outbound.post(url, headers, body, { timeout: deliveryTimeout, signal });
    if (response.status === null) signal.throwIfAborted();
    const now = deps.now();
    const { status } = response;
    const outcome = outcomeOf(response);
    deps.metrics.deliveries.inc({ outcome });
    deps.metrics.deliverySeconds.observe((now - at) / 1000);
    const isLast = isFinalStatus(status) || nextWait === null;
    const wait = isLast ? null : Math.max(nextWait, parseRetryAfter(response.retryAfter, now));
    const nextAt = wait === null ? null : new Date(now + wait);
    const error = response.error ?? describeStatus(status);
    const delivery = { artwork: id, attempt, at: new Date(at), url, status, error, durationMs: now - at, nextAt };
    const isOver = await retryWrite(deps, deliveryWriteTimeout, () => saveDelivery(deps.db, delivery));
    if (isOver && outcome !== 'delivered') {
      deps.metrics.givenUp.inc({ outcome });
      deps.log.warn({ artworkId: id, orgId: artwork.org, outcome }, 'Gave up the delivery of an event');
    }
    return resultOf(nextAt, now);
  } finally {
    slot.release();
  }
}

function resultOf(nextAt: Date | null, now: number): DeliveryResult {
  return nextAt === null ? { result: 'done' } : { result: 'failed', wait: Math.max(nextAt.getTime() - now, 0) };
}

/** One try to deliver the event of an artwork: sign, send, record. */
import { deliveryTimeout } from '../schemas/webhook.ts';
import type { DeliveryAnswer, DeliveryTry } from '../schemas/workflow.ts';
import { findArtwork } from '../store/artworks.ts';
import { findDelivery, saveDelivery } from '../store/deliveries.ts';
import { signingSecrets } from '../store/organizations.ts';
import { explain, isFinal, retryAfter } from './answers.ts';
import { outcomeOf } from './delivery-outcome.ts';
import type { Dependencies } from './dependencies.ts';
import type { Enter } from './lanes.ts';
import { patienceOfTries, persistently } from './persistently.ts';
import { signatureHeaders } from './sign.ts';

/** @param signal aborts when nobody is to be told any more, or the worker stops: such a try is not recorded */
export async function deliver(
  deps: Dependencies,
  { id, attempt, nextWait }: DeliveryTry,
  enter: Enter,
  signal: AbortSignal,
): Promise<DeliveryAnswer> {
  const [artwork, made] = await Promise.all([findArtwork(deps.db, id), findDelivery(deps.db, id, attempt)]);
  if (!artwork?.webhookUrl || !artwork.eventId || !artwork.eventBody) return { result: 'done' };
  const { webhookUrl: url, eventId, eventBody: body } = artwork;
  // A worker that died after recording this try has told nobody; the receiver need not hear of it twice.
  if (made) return toAnswer(made.nextAt ?? null, deps.now());

  const place = enter(new URL(url).host);
  if (!place) return { result: 'deferred' };
  try {
    const secrets = await signingSecrets(deps.db, deps.vault, artwork.org, new Date(deps.now()));
    const at = deps.now();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Atelier-Webhooks/2.6',
      ...signatureHeaders({ eventId, timestamp: Math.floor(at / 1000), body }, secrets),
    };
    const answer = await deps.outbound.post(url, headers, body, { timeout: deliveryTimeout, signal });
    if (answer.status === null) signal.throwIfAborted();
    const now = deps.now();
    const { status } = answer;
    deps.metrics.deliveries.inc({ outcome: outcomeOf(answer) });
    deps.metrics.deliverySeconds.observe((now - at) / 1000);
    const wait = isFinal(status) || nextWait === null ? null : Math.max(nextWait, retryAfter(answer.retryAfter, now));
    const nextAt = wait === null ? null : new Date(now + wait);
    const error = answer.error ?? explain(status);
    const delivery = { artwork: id, attempt, at: new Date(at), url, status, error, durationMs: now - at, nextAt };
    await persistently(deps, patienceOfTries, () => saveDelivery(deps.db, delivery));
    return toAnswer(nextAt, now);
  } finally {
    place.leave();
  }
}

function toAnswer(nextAt: Date | null, now: number): DeliveryAnswer {
  return nextAt === null ? { result: 'done' } : { result: 'failed', wait: Math.max(nextAt.getTime() - now, 0) };
}

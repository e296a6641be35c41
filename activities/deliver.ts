/** One try to deliver the event of an artwork: sign, send, record. */
import { deliveryTimeout } from '../schemas/webhook.ts';
import type { DeliveryAnswer, DeliveryTry } from '../schemas/workflow.ts';
import { findArtwork } from '../store/artworks.ts';
import { saveDelivery } from '../store/deliveries.ts';
import { signingSecrets } from '../store/organizations.ts';
import type { Dependencies } from './dependencies.ts';
import type { Lanes } from './lanes.ts';
import { signatureHeaders } from './sign.ts';

/** A receiver cannot push a try further away than the schedule's longest wait. */
const longestRetryAfter = 24 * 3600_000;

/** @param lanes absent on the slow lane, where a try is always made */
export async function deliver(
  deps: Dependencies,
  { id, attempt, nextWait }: DeliveryTry,
  lanes?: Lanes,
): Promise<DeliveryAnswer> {
  const artwork = await findArtwork(deps.db, id);
  if (!artwork?.webhookUrl || !artwork.eventId || !artwork.eventBody) return { result: 'done' };
  const { webhookUrl: url, eventId, eventBody: body } = artwork;

  const place = lanes?.enter(new URL(url).host);
  if (place === null) return { result: 'deferred' };
  try {
    const secrets = await signingSecrets(deps.db, deps.vault, artwork.org, new Date(deps.now()));
    const at = deps.now();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Atelier-Webhooks/2.6',
      ...signatureHeaders({ eventId, timestamp: Math.floor(at / 1000), body }, secrets),
    };
    const answer = await deps.outbound.post(url, headers, body, deliveryTimeout);
    const durationMs = deps.now() - at;
    const { status } = answer;
    const done = status !== null && (isSuccess(status) || status === 410);
    const wait = done || nextWait === null ? null : Math.max(nextWait, retryAfter(answer.retryAfter, deps.now()));
    const nextAt = wait === null ? null : new Date(deps.now() + wait);
    const error = answer.error ?? explain(answer.status ?? 0);
    await saveDelivery(deps.db, { artwork: id, attempt, at: new Date(at), url, status, error, durationMs, nextAt });
    return wait === null ? { result: 'done' } : { result: 'failed', wait };
  } finally {
    place?.leave();
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function explain(status: number): string | null {
  if (isSuccess(status)) return null;
  if (status >= 300 && status < 400) return 'redirects are not followed';
  if (status === 410) return 'the receiver wants no more tries';
  return `the receiver answered ${status}`;
}

/** Seconds or an HTTP date, as milliseconds from now; 0 when there is none. */
function retryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), longestRetryAfter);
}

/** Verifies Atelier's webhooks with Web Crypto only (Node, Deno, Bun, workers, browsers). Copy it into your project. */

/** The reason for which `verifyWebhook` rejects a delivery. */
export type Refusal = 'header_missing' | 'header_malformed' | 'signature_mismatch' | 'timestamp_out_of_tolerance';

/** The error that `verifyWebhook` throws for a delivery that is not genuine or too old. */
export class WebhookRefused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string) {
    super(message);
    this.name = 'WebhookRefused';
    this.reason = reason;
  }
}

/** The headers of `fetch`, Node, Express and other libraries. Names may have any case. */
export type WebhookHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

interface FetchHeaders {
  get(name: string): string | null;
}

export interface VerifyOptions {
  /** Maximum difference between the delivery's timestamp and now. Default 300; `Infinity` accepts any timestamp. */
  toleranceSeconds?: number;
  /** Returns the current time in epoch milliseconds. Default `Date.now`. */
  now?: () => number;
}

/**
 * Verifies a delivery and returns its event. Store the event, then respond with 2xx. Atelier repeats the delivery until
 * it receives a 2xx, so ignore events whose `eventId` you have already stored.
 *
 * @param rawBody the bytes as received; JSON that was parsed and serialized again has other bytes
 * @param secret `whsec_…`, as shown when it was created. During a grace period, the old and the new secret are valid.
 * @returns the event; its type is `ArtworkEvent` of the generated client
 * @throws WebhookRefused when a header is missing or malformed, no signature matches, or the delivery is too old
 */
export async function verifyWebhook<Event = unknown>(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<Event> {
  const timestamp = header(headers, 'Atelier-Timestamp');
  const signatures = header(headers, 'Atelier-Signature');
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookRefused('header_malformed', 'Atelier-Timestamp must contain Unix seconds.');
  }
  const body = typeof rawBody === 'string' ? encode(rawBody) : rawBody;
  const signed = concatenate(encode(`${timestamp}.`), body);
  const key = await crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  // During a grace period there are two signatures. Web Crypto compares in constant time.
  const given = signatures.split(',', maxSignatures).flatMap((signature) => fromHex(signature.trim()) ?? []);
  const genuine = await Promise.all(given.map((bytes) => crypto.subtle.verify('HMAC', key, bytes, signed)));
  if (!genuine.includes(true)) {
    throw new WebhookRefused(
      'signature_mismatch',
      'No signature in Atelier-Signature matches. Check the secret, and pass the raw bytes of the body.',
    );
  }
  // The age is checked although the signature matches, because an attacker may replay a recorded delivery.
  const seconds = Math.abs(now() / 1000 - Number(timestamp));
  if (seconds > toleranceSeconds) {
    throw new WebhookRefused(
      'timestamp_out_of_tolerance',
      `Atelier-Timestamp is ${Math.round(seconds)} s from now. At most ${toleranceSeconds} s are allowed.`,
    );
  }
  return JSON.parse(new TextDecoder().decode(body)) as Event;
}

/** Maximum signatures to verify. Atelier sends at most two; the limit bounds the work for a forged header. */
const maxSignatures = 8;

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function header(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  const text = value == null || typeof value === 'string' ? value : value.join(',');
  if (!text) throw new WebhookRefused('header_missing', `${name} is missing.`);
  return text;
}

const isFetchHeaders = (headers: WebhookHeaders): headers is FetchHeaders => typeof headers.get === 'function';

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Returns 32 bytes, or null when the text is not their hex form. */
function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/i.test(text)) return null;
  return Uint8Array.from({ length: 32 }, (_, index) => parseInt(text.slice(2 * index, 2 * index + 2), 16));
}

/** Verifies Atelier's webhooks, with nothing but Web Crypto: Node, Deno, Bun, workers, browsers. Take a copy of it. */

/** Why a delivery is not to be trusted. */
export type Refusal = 'header_missing' | 'header_malformed' | 'signature_mismatch' | 'timestamp_out_of_tolerance';

export class WebhookRefused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string) {
    super(message);
    this.name = 'WebhookRefused';
    this.reason = reason;
  }
}

/** As `fetch`, Node, Express and others have them; names in any case. */
export type WebhookHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

interface FetchHeaders {
  get(name: string): string | null;
}

export interface VerifyOptions {
  /** How far the delivery's time may be from now, either way. Default 300; `Infinity` takes any. */
  toleranceSeconds?: number;
  /** Epoch milliseconds. */
  now?: () => number;
}

/**
 * Answer the delivery with a 2xx once this has resolved and the event is kept. Deliveries are repeated until then: drop
 * those whose `eventId` you have seen.
 *
 * @param rawBody exactly as it came: JSON that was parsed and written again is other bytes
 * @param secret `whsec_…`, as rotating it has shown it. While a grace period runs, the old one and the new one both do.
 * @returns the event; `ArtworkEvent` of the generated client is its type
 * @throws WebhookRefused when a header is missing or malformed, it is not signed with the secret, or it is too old
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
    throw new WebhookRefused('header_malformed', 'Atelier-Timestamp is not Unix seconds.');
  }
  const body = typeof rawBody === 'string' ? encode(rawBody) : rawBody;
  const signed = concatenate(encode(`${timestamp}.`), body);
  const key = await crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  // One signature; two while a grace period runs. Web Crypto compares in constant time.
  const given = signatures.split(',', maxSignatures).flatMap((signature) => fromHex(signature.trim()) ?? []);
  const genuine = await Promise.all(given.map((bytes) => crypto.subtle.verify('HMAC', key, bytes, signed)));
  if (!genuine.includes(true)) {
    throw new WebhookRefused(
      'signature_mismatch',
      'No signature in Atelier-Signature is of this body with this secret.',
    );
  }
  // A delivery that somebody has kept and sends again is genuine, and refused for its age.
  const seconds = Math.abs(now() / 1000 - Number(timestamp));
  if (seconds > toleranceSeconds) {
    throw new WebhookRefused(
      'timestamp_out_of_tolerance',
      `Atelier-Timestamp is ${Math.round(seconds)} s from now; ${toleranceSeconds} s are allowed.`,
    );
  }
  return JSON.parse(new TextDecoder().decode(body)) as Event;
}

/** Signatures that are looked at: more than a sender has, fewer than would be work. */
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

/** @returns null for what is not the hex of 32 bytes */
function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/i.test(text)) return null;
  return Uint8Array.from({ length: 32 }, (_, index) => parseInt(text.slice(2 * index, 2 * index + 2), 16));
}

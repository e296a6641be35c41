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
  checkAge('Atelier-Timestamp', timestamp, { toleranceSeconds, now });
  return JSON.parse(new TextDecoder().decode(body)) as Event;
}

/**
 * Verifies a delivery by the `v1a` signature of Standard Webhooks, with a public key instead of a secret, and returns its
 * event. For organizations with a webhook signing key. Requires Ed25519 in Web Crypto (Node 20, Deno, Bun, workers).
 *
 * @param rawBody as for `verifyWebhook`
 * @param publicKeys `whpk_…`; during a rotation, the new one and the previous one
 * @returns as `verifyWebhook`
 * @throws as `verifyWebhook`; Error when a public key is malformed
 */
export async function verifyWebhookWithPublicKey<Event = unknown>(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  publicKeys: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<Event> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookRefused('header_malformed', 'webhook-timestamp must contain Unix seconds.');
  }
  const body = typeof rawBody === 'string' ? encode(rawBody) : rawBody;
  const signed = concatenate(encode(`${id}.${timestamp}.`), body);
  const keys = await Promise.all((typeof publicKeys === 'string' ? [publicKeys] : publicKeys).map(importPublicKey));
  const given = signatures.split(' ', maxSignatures).flatMap((one) => fromV1a(one) ?? []);
  const pairs = keys.flatMap((key) => given.map((bytes) => [key, bytes] as const));
  const genuine = await Promise.all(pairs.map(([key, bytes]) => crypto.subtle.verify('Ed25519', key, bytes, signed)));
  if (!genuine.includes(true)) {
    throw new WebhookRefused(
      'signature_mismatch',
      'No v1a signature in webhook-signature matches. Check the public key, and pass the raw bytes of the body.',
    );
  }
  checkAge('webhook-timestamp', timestamp, { toleranceSeconds, now });
  return JSON.parse(new TextDecoder().decode(body)) as Event;
}

/** The age is checked although the signature matches, because an attacker may replay a recorded delivery. */
function checkAge(name: string, timestamp: string, { toleranceSeconds, now }: Required<VerifyOptions>): void {
  const seconds = Math.abs(now() / 1000 - Number(timestamp));
  if (seconds > toleranceSeconds) {
    throw new WebhookRefused(
      'timestamp_out_of_tolerance',
      `${name} is ${Math.round(seconds)} s from now. At most ${toleranceSeconds} s are allowed.`,
    );
  }
}

/** Maximum signatures to verify. Atelier sends at most two of each kind; the limit bounds the work for a forged header. */
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

/** Imports `whpk_` and the base64 of 32 bytes. */
function importPublicKey(text: string) {
  if (!/^whpk_[A-Za-z0-9+/]{43}=$/.test(text)) {
    throw new Error('The public key must be whpk_ followed by 44 characters of base64.');
  }
  return crypto.subtle.importKey('raw', fromBase64(text.slice('whpk_'.length)), 'Ed25519', false, ['verify']);
}

/** Returns the 64 bytes of `v1a,<base64>`, or null for other texts, such as the `v1` of the secret. */
function fromV1a(text: string): Uint8Array<ArrayBuffer> | null {
  return /^v1a,[A-Za-z0-9+/]{86}==$/.test(text) ? fromBase64(text.slice('v1a,'.length)) : null;
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Returns 32 bytes, or null when the text is not their hex form. */
function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/i.test(text)) return null;
  return Uint8Array.from({ length: 32 }, (_, index) => parseInt(text.slice(2 * index, 2 * index + 2), 16));
}

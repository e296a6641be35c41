/** Signs a delivery in two formats: the service's own and Standard Webhooks, which may also be asymmetric. */
import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { webhookHeaders } from '../schemas/webhook.ts';

export interface Signable {
  eventId: string;
  /** Unix seconds of this attempt. */
  timestamp: number;
  /** The exact body. */
  body: string;
}

/**
 * Returns the signature headers.
 * @param secrets `whsec_…`, newest first; two during a grace period
 * @param privateKeys Ed25519 keys (base64 of PKCS #8), newest first; none unless the organization has a signing key
 * @see https://www.standardwebhooks.com for the `webhook-` headers
 */
export function signatureHeaders(
  { eventId, timestamp, body }: Signable,
  secrets: readonly string[],
  privateKeys: readonly string[] = [],
): Record<string, string> {
  const own = secrets.map((secret) => createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
  const signed = Buffer.from(`${eventId}.${timestamp}.${body}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  const asymmetric = privateKeys.map((text) => {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
    return `v1a,${sign(null, signed, key).toString('base64')}`;
  });
  return {
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: own.join(','),
    [webhookHeaders.standardId]: eventId,
    [webhookHeaders.standardTimestamp]: String(timestamp),
    [webhookHeaders.standardSignature]: [...standard, ...asymmetric].join(' '),
  };
}

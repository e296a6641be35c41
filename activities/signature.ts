/** Signs a delivery in two formats: the service's own and Standard Webhooks. */
import { createHmac } from 'node:crypto';
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
 * @see https://www.standardwebhooks.com for the `webhook-` headers
 */
export function signatureHeaders(
  { eventId, timestamp, body }: Signable,
  secrets: readonly string[],
): Record<string, string> {
  const own = secrets.map((secret) => createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: own.join(','),
    [webhookHeaders.standardId]: eventId,
    [webhookHeaders.standardTimestamp]: String(timestamp),
    [webhookHeaders.standardSignature]: standard.join(' '),
  };
}

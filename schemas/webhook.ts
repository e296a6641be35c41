/** How deliveries are signed and timed, in names and numbers; `activities/` does it. */
export const webhookHeaders = {
  timestamp: 'Atelier-Timestamp',
  signature: 'Atelier-Signature',
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const;

/** Milliseconds before a try counts as failed. */
export const deliveryTimeout = 15_000;

/** Each wait is lengthened by up to this share, so that receivers are not hit by all at once. */
export const deliveryJitter = 0.1;

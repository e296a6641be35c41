/** Header names and timing of webhook deliveries. */
export const webhookHeaders = {
  timestamp: 'Atelier-Timestamp',
  signature: 'Atelier-Signature',
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const;

/** Milliseconds before a delivery attempt fails. */
export const deliveryTimeout = 15_000;

/** Maximum fraction by which each wait is lengthened, so that deliveries spread out over time. */
export const deliveryJitter = 0.1;

/** How deliveries are signed and timed, in names and numbers; `activities/` does it. */
import Type from 'typebox';
import { dateTime, orNull } from './fields.ts';

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

/** One try. */
export const delivery = Type.Object(
  {
    attempt: Type.Integer({ description: 'From 1.' }),
    at: dateTime('When the try began.'),
    url: Type.String(),
    status: orNull(Type.Integer(), "The receiver's HTTP status."),
    error: orNull(Type.String(), 'A short reason where there was no answer, or none that counts.'),
    durationMs: Type.Integer(),
    nextAt: orNull(Type.String({ format: 'date-time' }), 'When the next try is due.'),
  },
  { additionalProperties: false },
);

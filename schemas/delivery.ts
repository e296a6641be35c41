/** One try to deliver a webhook, as clients see it. */
import Type from 'typebox';
import { dateTime, orNull } from './fields.ts';

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

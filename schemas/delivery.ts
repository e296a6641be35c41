/** One delivery attempt of a webhook, as clients read it. */
import Type from 'typebox';
import { dateTime, orNull } from './fields.ts';

export const delivery = Type.Object(
  {
    attempt: Type.Integer({ description: 'Number of the attempt, starting at 1.' }),
    at: dateTime('When the attempt began.'),
    url: Type.String(),
    status: orNull(Type.Integer(), "The HTTP status of the receiver's response; null if there was none."),
    error: orNull(Type.String(), 'Why the attempt failed; null if it succeeded.'),
    durationMs: Type.Integer(),
    nextAt: orNull(Type.String({ format: 'date-time' }), 'When the next attempt is due; null if there is none.'),
  },
  { additionalProperties: false },
);

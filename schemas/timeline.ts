/** The steps of an artwork as they happened. */
import Type, { type Static } from 'typebox';
import { orNull } from './fields.ts';

const time = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

const stepError = Type.Object(
  {
    status: orNull(Type.Integer(), "Of the error table; of a delivery the receiver's, null where there was no answer."),
    message: Type.String(),
  },
  { additionalProperties: false },
);

export const step = Type.Object(
  {
    name: Type.String({
      description: '`queue`, then a call of its plan for each try, then `delivery` for each try.',
      examples: ['image-1'],
    }),
    model: orNull(Type.String(), 'The model that answered, or the engine that did not; null of other steps.'),
    attempt: Type.Integer({ description: 'From 1, of the same step.' }),
    startedAt: time('Null where it was not written down.'),
    endedAt: time('Null while it runs.'),
    error: orNull(stepError, 'Why it came to nothing.'),
    errorCode: orNull(Type.String(), 'The machine-readable name of the error; null of a delivery.'),
  },
  { additionalProperties: false },
);
export type Step = Static<typeof step>;

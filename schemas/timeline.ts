/** The steps of an artwork, in the order in which they happened. */
import Type, { type Static } from 'typebox';
import { orNull } from './fields.ts';

const time = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

const stepError = Type.Object(
  {
    status: orNull(
      Type.Integer(),
      "The status of the error. For a delivery, the HTTP status of the receiver's response; null if there was none.",
    ),
    message: Type.String(),
  },
  { additionalProperties: false },
);

export const step = Type.Object(
  {
    name: Type.String({
      description:
        '`queue` for the wait for a worker, the name of a model call for each of its attempts, or `delivery` for each delivery attempt.',
      examples: ['image-1'],
    }),
    model: orNull(Type.String(), 'The model that finished the call, or the engine that failed; null for other steps.'),
    attempt: Type.Integer({ description: 'Number of the attempt at this step, starting at 1.' }),
    startedAt: time('When the step began; null if unknown.'),
    endedAt: time('When the step ended; null while it is running.'),
    error: orNull(stepError, 'Why the step failed; null if it succeeded.'),
    submissions: orNull(
      Type.Integer(),
      'How many requests of this call, in all its attempts, a provider may have charged for; more than 1 only if a ' +
        'response was lost or a worker died. Null for a step without a provider.',
    ),
    errorCode: orNull(Type.String(), 'The machine-readable error code; null for a delivery.'),
  },
  { additionalProperties: false },
);
export type Step = Static<typeof step>;

/** The query and headers of every creation, and the response to a dry run. */
import Type, { type Static } from 'typebox';

export const dryRun = Type.Object(
  {
    dryRun: Type.Literal(true),
    operation: Type.String({
      description: 'The operation: its path without `/v2/` and `artworks/`.',
      examples: ['selena'],
    }),
    credits: Type.Object(
      {
        price: Type.Integer({ description: 'Credits that the request would reserve: the most that it can cost.' }),
        available: Type.Integer({ description: 'Credits that this API key has left.' }),
        sufficient: Type.Boolean({
          description: 'Whether the credits cover the request. If not, the request fails with 402.',
        }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type DryRun = Static<typeof dryRun>;

/** The query of every creation. */
export const creationQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Enum(['true', 'false'], { description: '`true` validates and prices the request without creating anything.' }),
  ),
});

/** Header that delays the response until the artwork has ended. */
export const preferHeader = {
  Prefer: Type.Optional(
    Type.String({
      description: '`wait=N` delays the response until the artwork has ended, for at most N seconds (1 to 60).',
      examples: ['wait=30'],
    }),
  ),
};

const keyFormat = { minLength: 1, maxLength: 255, pattern: '^[ -~]*$' };

export const idempotencyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      ...keyFormat,
      description:
        'A key of your choice that makes retries safe. Repeating a request with the same key returns the first 202 ' +
        'with `Idempotency-Replayed: true`; using the key for a different request fails with 422. A key is kept for ' +
        'as long as its artwork.',
    }),
  ),
};

/** Milliseconds that the result of a synchronous request with an `Idempotency-Key` is kept after its end. */
export const keptResult = 10 * 60_000;

export const synchronousIdempotencyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      ...keyFormat,
      description:
        'A key of your choice that makes retries safe. With it, the request continues when the connection is lost, and ' +
        `its result is kept for ${keptResult / 60_000} minutes. Repeating the request with the same key waits for the ` +
        'running request, or returns its result, with `Idempotency-Replayed: true`; using the key for a different ' +
        'request fails with 422. A request that has failed is run again.',
    }),
  ),
};

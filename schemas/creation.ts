/** What every creation takes beside its body, and the answer of one that makes nothing. */
import Type, { type Static } from 'typebox';

export const dryRun = Type.Object(
  {
    dryRun: Type.Literal(true),
    operation: Type.String({ description: 'The path after /v2/, less artworks/.', examples: ['selena'] }),
    credits: Type.Object(
      {
        price: Type.Integer({ description: 'What would be reserved: the most that it can cost.' }),
        available: Type.Integer({ description: 'What this API key has left.' }),
        sufficient: Type.Boolean({ description: 'Whether the request would be accepted; if not, it is a 402.' }),
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
    Type.Enum(['true', 'false'], { description: '`true` checks and prices the request, and makes nothing.' }),
  ),
});

/** Headers that creations take. */
export const preferHeader = {
  Prefer: Type.Optional(
    Type.String({
      description: '`wait=N` holds the answer until the artwork has ended, for N seconds (1 to 60).',
      examples: ['wait=30'],
    }),
  ),
};

export const idempotencyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]*$',
      description:
        'Of your choice. The same request with the same key gets the first 202 again, with ' +
        '`Idempotency-Replayed: true`; another request with it is a 422. It is kept for as long as the artwork.',
    }),
  ),
};

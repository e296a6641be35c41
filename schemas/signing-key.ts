/** The key that signs webhooks asymmetrically, in requests and responses. */
import Type, { type Static } from 'typebox';
import { dateTime, orNull } from './fields.ts';
import { longestGracePeriod } from './organization.ts';
import { requestBody } from './request.ts';

export const rotateSigningKey = requestBody({
  gracePeriodSeconds: Type.Integer({
    minimum: 0,
    maximum: longestGracePeriod,
    default: 0,
    description: 'How long deliveries are signed with the previous key as well, in seconds.',
  }),
});

export const signingKey = Type.Object(
  {
    orgId: Type.String(),
    publicKey: Type.String({
      description: '`whpk_` and the base64 of the 32 bytes of the Ed25519 key, as in Standard Webhooks. Not a secret.',
      examples: ['whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg='],
    }),
    createdAt: dateTime('When the key took effect.'),
    previousPublicKey: orNull(Type.String(), 'The key before, which still signs; null if there is none.'),
    previousKeyExpiresAt: orNull(
      Type.String({ format: 'date-time' }),
      'When the grace period ends; null if there is none.',
    ),
  },
  { additionalProperties: false },
);
export type SigningKeyView = Static<typeof signingKey>;

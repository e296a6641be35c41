/** Organizations, their webhook secret and their API keys, as clients see and send them. */
import Type, { type Static } from 'typebox';
import { domains, environments, grantableScopes, scopes } from './access.ts';
import { dateTime, orNull, words } from './fields.ts';
import { requestBody } from './request.ts';

export const keyStatuses = ['active', 'revoked', 'expired'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

const keyFields = {
  keyId: Type.String({ examples: ['key_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'] }),
  keyPrefix: Type.String({ description: 'The first 10 characters of the key, for identification.' }),
  label: Type.String(),
  scope: Type.Enum([...scopes]),
  domains: Type.Array(Type.Enum([...domains])),
  environment: Type.Enum([...environments]),
  credits: Type.Integer({ description: 'What is left.' }),
  status: Type.Enum([...keyStatuses]),
  usageCount: Type.Integer({ description: 'Authenticated requests; may lag by seconds.' }),
  lastUsedAt: orNull(Type.String({ format: 'date-time' }), 'May lag by seconds.'),
  expiresAt: orNull(Type.String({ format: 'date-time' }), 'null: never.'),
  createdAt: dateTime('When the key was made.'),
};

export const apiKey = Type.Object(keyFields, { additionalProperties: false });
export type ApiKeyView = Static<typeof apiKey>;

export const newApiKey = Type.Object(
  { ...keyFields, apiKey: Type.String({ description: 'The full key, shown this once.' }) },
  { additionalProperties: false },
);

/** No later time has four digits for its year, as every time of ours has. */
export const latestExpiry = new Date('9999-12-31T23:59:59.999Z');

const label = words(100);
const mostCredits = 2147483647;

/** The scope may also be `admin` here, so that asking for it is refused with its own code (403), not as a typing error. */
export const createApiKey = requestBody({
  label,
  scope: Type.Enum([...scopes], { description: `${grantableScopes.join(' or ')}; admin keys come from the operator.` }),
  domains: Type.Array(Type.Enum([...domains]), { minItems: 1, uniqueItems: true }),
  credits: Type.Integer({ minimum: 0, maximum: mostCredits, default: 0 }),
  environment: Type.Optional(Type.Enum([...environments], { description: 'Default: that of the calling key.' })),
  expiresAt: Type.Optional(dateTime('The key stops working then.')),
});

export const updateApiKey = requestBody({
  label: Type.Optional(label),
  credits: Type.Optional(Type.Integer({ minimum: 0, maximum: mostCredits, description: 'What is left from now on.' })),
  expiresAt: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The key stops working then; null: never. A key that has expired works again.',
    }),
  ),
});

export const rotateSecret = requestBody({
  gracePeriodSeconds: Type.Integer({
    minimum: 0,
    maximum: 604800,
    default: 0,
    description: 'For so long deliveries are signed with the previous secret too.',
  }),
});

export const rotatedSecret = Type.Object(
  {
    orgId: Type.String(),
    webhookSecret: Type.String({ description: 'Shown this once.', examples: ['whsec_…'] }),
    rotatedAt: dateTime('When it took effect.'),
    previousSecretExpiresAt: orNull(Type.String({ format: 'date-time' }), 'The end of the grace period, if any.'),
  },
  { additionalProperties: false },
);

export const organization = Type.Object(
  {
    orgId: Type.String(),
    name: Type.String(),
    createdAt: dateTime('When the operator made it.'),
    webhookSecretRotatedAt: orNull(Type.String({ format: 'date-time' }), 'null: never.'),
  },
  { additionalProperties: false },
);

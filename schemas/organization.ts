/** Organizations, their webhook secret and their API keys, in requests and responses. */
import Type, { type Static } from 'typebox';
import { domains, environments, grantableScopes, scopes } from './access.ts';
import { dateTime, orNull, words } from './fields.ts';
import { longestNetwork } from './networks.ts';
import { pageQuery } from './page.ts';
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
  credits: Type.Integer({ description: 'Credits that the key has left.' }),
  status: Type.Enum([...keyStatuses]),
  usageCount: Type.Integer({ description: 'Number of authenticated requests. Can lag by a few seconds.' }),
  lastUsedAt: orNull(
    Type.String({ format: 'date-time' }),
    'When the key was last used; null if never. Can lag by a few seconds.',
  ),
  expiresAt: orNull(Type.String({ format: 'date-time' }), 'When the key expires; null if never.'),
  createdAt: dateTime('When the key was created.'),
  allowedAddresses: orNull(
    Type.Array(Type.String()),
    'IP addresses and networks that can use the key; null if every address can.',
  ),
  maxKeyDays: orNull(
    Type.Integer(),
    'The longest life, in days, of a key that this key creates or rolls, or whose expiry it changes; null if there is no limit. Only the operator can set it.',
  ),
};

export const apiKey = Type.Object(keyFields, { additionalProperties: false });
export type ApiKeyView = Static<typeof apiKey>;

const newKeyFields = {
  ...keyFields,
  apiKey: Type.String({ description: 'The full key. No other response contains it.' }),
};
export const newApiKey = Type.Object(newKeyFields, { additionalProperties: false });

/** The latest expiry of a key. In responses, years have four digits. */
export const latestExpiry = new Date('9999-12-31T23:59:59.999Z');

const allowedAddresses = (options: { description: string }) =>
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', minLength: 1, maxLength: longestNetwork, format: 'network' },
    minItems: 1,
    maxItems: 50,
    examples: [['203.0.113.7', '2001:db8:12::/48']],
    ...options,
  });

const label = words(100);
const maxCredits = 2147483647;

export const keysQuery = Type.Object({
  ...pageQuery.properties,
  unusedSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Only active keys that were created before this time and not used since.',
      examples: ['2026-08-28T00:00:00Z'],
    }),
  ),
});

/** The schema accepts the scope `admin`, so that a request for it fails with its own error code (403). */
export const createApiKey = requestBody({
  label,
  scope: Type.Enum([...scopes], {
    description: `${grantableScopes.join(' or ')}. Only the operator can create admin keys.`,
  }),
  domains: Type.Array(Type.Enum([...domains]), { minItems: 1, uniqueItems: true }),
  credits: Type.Integer({ minimum: 0, maximum: maxCredits, default: 0 }),
  environment: Type.Optional(
    Type.Enum([...environments], { description: 'Default: the environment of the calling key.' }),
  ),
  expiresAt: Type.Optional(
    dateTime(
      'When the key expires. If the calling key has a `maxKeyDays`, this is required, and limited to that many days from now.',
    ),
  ),
  allowedAddresses: Type.Optional(
    allowedAddresses({ description: 'IP addresses and networks (CIDR) that can use the key. Default: null, all.' }),
  ),
});

export const updateApiKey = requestBody({
  label: Type.Optional(label),
  credits: Type.Optional(
    Type.Integer({ minimum: 0, maximum: maxCredits, description: 'Credits that the key has from now on.' }),
  ),
  expiresAt: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'When the key expires; null means never. A later time reactivates an expired key. If the calling key has a ' +
        '`maxKeyDays`, the time is limited to that many days from now.',
    }),
  ),
  allowedAddresses: Type.Optional(
    allowedAddresses({ description: 'IP addresses and networks (CIDR) that can use the key; null means all.' }),
  ),
});

/** Maximum seconds for which a previous key or webhook secret stays valid: a week. */
export const longestGracePeriod = 604_800;

const gracePeriodSeconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: longestGracePeriod, default: 0, description });

export const rollApiKey = requestBody({
  gracePeriodSeconds: gracePeriodSeconds('How long the previous key remains valid, in seconds.'),
});

export const rolledApiKey = Type.Object(
  {
    ...newKeyFields,
    previousKeyExpiresAt: orNull(
      Type.String({ format: 'date-time' }),
      'When the previous key stops working; null if it has stopped.',
    ),
  },
  { additionalProperties: false },
);

export const rotateSecret = requestBody({
  gracePeriodSeconds: gracePeriodSeconds(
    'How long deliveries are signed with the previous secret as well, in seconds.',
  ),
});

export const rotatedSecret = Type.Object(
  {
    orgId: Type.String(),
    webhookSecret: Type.String({
      description: 'The new secret. No other response contains it.',
      examples: ['whsec_…'],
    }),
    rotatedAt: dateTime('When the new secret took effect.'),
    previousSecretExpiresAt: orNull(
      Type.String({ format: 'date-time' }),
      'When the grace period ends; null if there is none.',
    ),
  },
  { additionalProperties: false },
);

export const organization = Type.Object(
  {
    orgId: Type.String(),
    name: Type.String(),
    createdAt: dateTime('When the operator created the organization.'),
    webhookSecretRotatedAt: orNull(
      Type.String({ format: 'date-time' }),
      'When the webhook secret was last replaced; null if never.',
    ),
  },
  { additionalProperties: false },
);

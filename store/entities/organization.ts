/** Organizations and their API keys. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { environments, scopes, type Domain } from '../../schemas/access.ts';
import type { OwnLimits } from '../../schemas/limits.ts';
import { time } from './time.ts';

export const Organization = defineEntity({
  name: 'Organization',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    createdAt: time(),
    /** Encrypted with a key derived from ATELIER_SECRET; see `store/ciphertext.ts`. */
    webhookSecret: p.blob(),
    webhookSecretRotatedAt: time().nullable(),
    previousSecret: p.blob().nullable(),
    previousSecretExpiresAt: time().nullable(),
    /** The limits that differ from the defaults; null: none. */
    limits: p.json<OwnLimits>().nullable(),
  },
});
export type Organization = InferEntity<typeof Organization>;

export const ApiKey = defineEntity({
  name: 'ApiKey',
  checks: [{ name: 'api_key_credits_check', expression: 'credits >= 0' }],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(),
    /** SHA-256 of the full key. The key is random, so the hash needs no salt. */
    hash: p.blob().unique(),
    prefix: p.text(),
    label: p.text(),
    scope: p.enum([...scopes]),
    domains: p.array().columnType('text[]').$type<Domain[]>(),
    environment: p.enum([...environments]),
    /** The balance. Triggers keep it equal to the sum of the ledger entries. */
    credits: p.bigint('number'),
    usageCount: p.bigint('number'),
    lastUsedAt: time().nullable(),
    expiresAt: time().nullable(),
    revokedAt: time().nullable(),
    createdAt: time(),
    /** Requests per minute; null: the configured default. */
    rateCreations: p.integer().nullable(),
    rateOthers: p.integer().nullable(),
    /** Addresses and networks that may use the key; null: all. */
    allowedAddresses: p.array().columnType('text[]').$type<string[]>().nullable(),
    /** Days within which keys must expire that this key creates; null: they may live forever. */
    maxKeyDays: p.integer().nullable(),
  },
});
export type ApiKey = InferEntity<typeof ApiKey>;

/** The previous secret of a rolled key. It remains valid for a grace period, which the next roll ends. */
export const PreviousKey = defineEntity({
  name: 'PreviousKey',
  indexes: [{ properties: ['expiresAt'] }],
  properties: {
    key: () => p.manyToOne(ApiKey).mapToPk().primary().deleteRule('cascade'),
    /** As `ApiKey.hash`. */
    hash: p.blob().unique(),
    expiresAt: time(),
  },
});

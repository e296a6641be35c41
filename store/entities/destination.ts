/** The table of webhook destinations that fail. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { environments } from '../../schemas/access.ts';
import { Organization } from './organization.ts';
import { time } from './time.ts';

/** A destination whose deliveries have all failed since a time. A success deletes the row. */
export const FailingDestination = defineEntity({
  name: 'FailingDestination',
  indexes: [{ properties: ['org', 'environment', 'id'] }, { properties: ['expiresAt'] }],
  properties: {
    /** A digest of the three columns that follow. */
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade'),
    environment: p.enum([...environments]),
    /** The URL of the webhook without its query. */
    url: p.text(),
    failingSince: time(),
    lastFailedAt: time(),
    /** Failed attempts since `failingSince`. */
    failures: p.integer(),
    /** The error of the last attempt. */
    lastError: p.text(),
    /** When the last artwork expires whose delivery has failed. The row does not outlive it. */
    expiresAt: time(),
    /** Null until the destination is paused. */
    pausedAt: time().nullable(),
    /** When one attempt may be made although the destination is paused; null until it is paused. */
    probeAt: time().nullable(),
  },
});
export type FailingDestination = InferEntity<typeof FailingDestination>;

/** The table of webhook destinations that fail. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Organization } from './organization.ts';
import { time } from './time.ts';

/** A destination whose deliveries have all failed since a time. A success deletes the row. */
export const FailingDestination = defineEntity({
  name: 'FailingDestination',
  indexes: [{ properties: ['expiresAt'] }],
  properties: {
    org: () => p.manyToOne(Organization).mapToPk().primary().deleteRule('cascade'),
    /** Protocol, host and port of the URL. */
    origin: p.text().primary(),
    failingSince: time(),
    lastFailedAt: time(),
    /** Failed attempts since `failingSince`. */
    failures: p.integer(),
    /** The error of the last attempt. */
    lastError: p.text(),
    /** Null until the destination is paused. */
    pausedAt: time().nullable(),
    /** When the last artwork expires whose delivery has failed. The row does not outlive it. */
    expiresAt: time(),
    /** When one attempt may be made although the destination is paused; null until it is paused. */
    probeAt: time().nullable(),
  },
});
export type FailingDestination = InferEntity<typeof FailingDestination>;

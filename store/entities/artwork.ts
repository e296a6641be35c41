/** An artwork, its images and its deliveries. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { domains } from '../../schemas/access.ts';
import { statuses } from '../../schemas/artwork.ts';
import { roles } from '../../schemas/image.ts';
import type { Plan } from '../../schemas/plan.ts';
import type { Tariff } from '../../schemas/price.ts';
import type { CallFailure } from '../../schemas/workflow.ts';
import { environment } from './environment.ts';
import { Organization, ApiKey } from './organization.ts';
import { time } from './time.ts';

/** With this constraint, concurrent requests with one idempotency key create one artwork. */
export const onePerIdempotencyKey = 'artwork_idempotency_key_unique';

export const Artwork = defineEntity({
  name: 'Artwork',
  // Ids begin with their time, so these also list an organization's artworks, or a key's, newest first.
  indexes: [
    { properties: ['org', 'id'] },
    { properties: ['key', 'id'] },
    // The same for each environment, operation and status, so that a rare one is found without reading the others.
    { properties: ['org', 'environment', 'operation', 'status', 'id'] },
    { properties: ['key', 'environment', 'operation', 'status', 'id'] },
    // For the metrics: few rows are unfinished or overdue, and `createdAt` and `expiresAt` never change.
    { name: 'artwork_unfinished_index', properties: ['createdAt'], where: 'finished_at is null' },
    { properties: ['expiresAt'] },
    // For the limits of organizations, which are counted from the index alone.
    {
      name: 'artwork_org_unfinished_index',
      properties: ['org', 'environment'],
      include: ['reserved'],
      where: "finished_at is null and status <> 'ABANDONED'",
    },
  ],
  uniques: [
    { name: onePerIdempotencyKey, properties: ['key', 'idempotencyKey'], where: 'idempotency_key is not null' },
  ],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade'),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    environment: environment(),
    operation: p.text(),
    domain: p.enum([...domains]),
    /**
     * `ABANDONED` marks a claim or a tombstone. Claim: the workflow has taken the id, because the request was never
     * stored. Tombstone: the artwork is deleted, and its workflow has not ended yet. Clients never see either.
     */
    status: p.enum([...statuses, 'ABANDONED']),
    errorCode: p.text().nullable(),
    /** Replaces the message of the error table. */
    errorMessage: p.text().nullable(),
    /** Calls that failed while others made the artwork succeed. */
    failures: p.json<CallFailure[]>().nullable(),
    input: p.json<Record<string, unknown>>(),
    /** Cleared when the artwork ends. */
    plan: p.json<Plan>().nullable(),
    prompt: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    webhookUrl: p.text().nullable(),
    /** The `X-Request-Id` of the creation; null for `operator artworks retry` and in rows of earlier releases. */
    requestId: p.text().nullable(),
    /** Digests of the client's Idempotency-Key and of its request. */
    idempotencyKey: p.blob().nullable(),
    requestDigest: p.blob().nullable(),
    /** Reserved credits: the highest possible price. */
    reserved: p.integer().default(0),
    /** The prices at the time of the request. */
    tariff: p.json<Tariff>().nullable(),
    /** Charged credits; 0 unless the artwork has succeeded. */
    charged: p.integer().default(0),
    /** The encoded style. */
    styleDnaId: p.text().nullable(),
    eventId: p.text().nullable(),
    /** The exact body of the webhook, stored when the artwork ends. */
    eventBody: p.text().nullable(),
    /** The number of redeliveries that clients have requested. */
    redeliveries: p.integer().default(0),
    createdAt: time(),
    startedAt: time().nullable(),
    finishedAt: time().nullable(),
    expiresAt: time(),
  },
});
export type Artwork = InferEntity<typeof Artwork>;

export const Image = defineEntity({
  name: 'Image',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    /** The file's name within the artwork's folder: `image-1-1.3fa9c2d1.png`. */
    name: p.text().primary(),
    /** `input` is an image from the request, prepared for engines; clients do not see it among the artwork's images. */
    role: p.enum([...roles, 'input']),
    contentType: p.text(),
    width: p.integer(),
    height: p.integer(),
    bytes: p.integer(),
    sha256: p.text(),
    seed: p.bigint('number').nullable(),
    model: p.text(),
  },
});
export type Image = InferEntity<typeof Image>;

export const Delivery = defineEntity({
  name: 'Delivery',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    attempt: p.integer().primary(),
    at: time(),
    url: p.text(),
    status: p.integer().nullable(),
    error: p.text().nullable(),
    durationMs: p.integer(),
    nextAt: time().nullable(),
  },
});
export type Delivery = InferEntity<typeof Delivery>;

/** An event that its receiver has not accepted, and that will be attempted again. Few events are due for long. */
export const DueDelivery = defineEntity({
  name: 'DueDelivery',
  indexes: [{ properties: ['dueAt'] }],
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    /** When the next attempt is due. */
    dueAt: time(),
  },
});

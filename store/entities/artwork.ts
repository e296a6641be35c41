/** An artwork, its images and the tries to deliver its event. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { domains } from '../../schemas/access.ts';
import { statuses } from '../../schemas/artwork.ts';
import { roles } from '../../schemas/image.ts';
import type { Plan } from '../../schemas/plan.ts';
import type { Tariff } from '../../schemas/price.ts';
import type { CallFailure } from '../../schemas/workflow.ts';
import { Organization, ApiKey } from './organization.ts';
import { time } from './time.ts';

/** Decides which of several equal requests at once makes the artwork. */
export const onePerIdempotencyKey = 'artwork_idempotency_key_unique';

export const Artwork = defineEntity({
  name: 'Artwork',
  // Ids begin with their time, so these also list an organization's artworks, or a key's, newest first.
  indexes: [
    { properties: ['org', 'id'] },
    { properties: ['key', 'id'] },
    // For the metrics: few rows have not ended, and few are late. Neither column ever changes.
    { name: 'artwork_unfinished_index', properties: ['createdAt'], where: 'finished_at is null' },
    { properties: ['expiresAt'] },
  ],
  uniques: [
    { name: onePerIdempotencyKey, properties: ['key', 'idempotencyKey'], where: 'idempotency_key is not null' },
  ],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade'),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    operation: p.text(),
    domain: p.enum([...domains]),
    /**
     * `ABANDONED`: a tombstone. The workflow claimed the id because its request was never stored, or the artwork was
     * deleted and its workflow has not ended yet. Clients never see such a row.
     */
    status: p.enum([...statuses, 'ABANDONED']),
    errorCode: p.text().nullable(),
    /** In place of the error table's words. */
    errorMessage: p.text().nullable(),
    /** Calls that failed while others made the artwork succeed. */
    failures: p.json<CallFailure[]>().nullable(),
    input: p.json<Record<string, unknown>>(),
    /** Cleared when the artwork ends. */
    plan: p.json<Plan>().nullable(),
    prompt: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    webhookUrl: p.text().nullable(),
    /** Digests of the client's Idempotency-Key and of the request that came with it. */
    idempotencyKey: p.blob().nullable(),
    requestDigest: p.blob().nullable(),
    /** Credits that were set aside for it: the most that it can cost. */
    reserved: p.integer().default(0),
    /** The prices by which it is charged. */
    tariff: p.json<Tariff>().nullable(),
    /** Credits that it has cost; 0 until it has succeeded. */
    charged: p.integer().default(0),
    /** The style that it has encoded. */
    styleDnaId: p.text().nullable(),
    eventId: p.text().nullable(),
    /** The webhook's bytes, frozen when the artwork ends. */
    eventBody: p.text().nullable(),
    /** How often its event was asked for again. */
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
    /** `input`: an image that came with the request, prepared for engines. It is not among the artwork's images. */
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

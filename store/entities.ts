/** The tables. Column rules that MikroORM cannot say stand in the migrations; a test holds the two together. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { domains, environments, scopes } from '../schemas/access.ts';
import { statuses } from '../schemas/artwork.ts';
import { roles } from '../schemas/image.ts';
import type { Domain } from '../schemas/access.ts';
import type { ErrorCode } from '../schemas/errors.ts';
import type { AuditAction } from '../schemas/audit.ts';
import type { Plan } from '../schemas/plan.ts';
import type { Tariff } from '../schemas/price.ts';
import type { EncodedStyle } from '../schemas/style-dna.ts';
import type { CallFailure } from '../schemas/workflow.ts';
import type { FinishReason, Written } from '../schemas/writing.ts';

const time = () => p.datetime(3);

export const Organization = defineEntity({
  name: 'Organization',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    createdAt: time(),
    /** Encrypted with a key derived from ATELIER_SECRET. */
    webhookSecret: p.blob(),
    webhookSecretRotatedAt: time().nullable(),
    previousSecret: p.blob().nullable(),
    previousSecretExpiresAt: time().nullable(),
  },
});
export type Organization = InferEntity<typeof Organization>;

export const ApiKey = defineEntity({
  name: 'ApiKey',
  checks: [{ name: 'api_key_credits_check', expression: 'credits >= 0' }],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(),
    /** SHA-256 of the full key, which is random enough to need no salt. */
    hash: p.blob().unique(),
    prefix: p.text(),
    label: p.text(),
    scope: p.enum([...scopes]),
    domains: p.array().columnType('text[]').$type<Domain[]>(),
    environment: p.enum([...environments]),
    /** The sum of its ledger: triggers keep the two equal, whichever of them is written. */
    credits: p.bigint('number'),
    usageCount: p.bigint('number'),
    lastUsedAt: time().nullable(),
    expiresAt: time().nullable(),
    revokedAt: time().nullable(),
    createdAt: time(),
    /** Requests a minute in place of the usual; null: as all keys. */
    rateCreations: p.integer().nullable(),
    rateOthers: p.integer().nullable(),
  },
});
export type ApiKey = InferEntity<typeof ApiKey>;

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

/** What a call of the plan gave: once it is here, no retry makes it again. */
export const CallResult = defineEntity({
  name: 'CallResult',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    model: p.text(),
    text: p.text().nullable(),
    /** Of a language model: why it stopped, and what it counted. */
    finishReason: p.text().$type<FinishReason>().nullable(),
    usage: p.json<Written['usage']>().nullable(),
    /** Of the try that gave it. */
    attempt: p.integer().nullable(),
    startedAt: time().nullable(),
    finishedAt: time(),
  },
});
export type CallResult = InferEntity<typeof CallResult>;

/** What a client may read of a call that failed. Here and not in the history, because it may quote what the client said. */
export const CallMessage = defineEntity({
  name: 'CallMessage',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    message: p.text(),
  },
});

/** A try of a call that came to nothing. */
export const FailedTry = defineEntity({
  name: 'FailedTry',
  indexes: [{ properties: ['artwork', 'call'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    artwork: () => p.manyToOne(Artwork).mapToPk().deleteRule('cascade'),
    call: p.text(),
    engine: p.text(),
    attempt: p.integer(),
    startedAt: time(),
    endedAt: time(),
    code: p.text().$type<ErrorCode>(),
    /** When a later try of the call got to its engine. */
    retriedAt: time().nullable(),
  },
});
export type FailedTry = InferEntity<typeof FailedTry>;

/** What a call has left with a provider: kept before the wait, so that nothing that dies has it made and paid again. */
export const Job = defineEntity({
  name: 'Job',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    engine: p.text().primary(),
    /** The catalogue's name. */
    model: p.text(),
    /** As the provider names it; null while a submission is on its way, and of providers that answer in one call. */
    remoteId: p.text().nullable(),
    submittedAt: time(),
    /** When its result was kept, or its provider had it no more. */
    endedAt: time().nullable(),
    /** How often the call was submitted to this engine. */
    submissions: p.integer(),
  },
});
export type Job = InferEntity<typeof Job>;

/** What all workers know of a provider. */
export const EngineState = defineEntity({
  name: 'EngineState',
  properties: {
    name: p.text().primary(),
    /** By an operator. */
    pausedAt: time().nullable(),
    /** It asked to be left alone until then. */
    heldUntil: time().nullable(),
    /** When the next call may begin. */
    nextAt: p.datetime(6).nullable(),
  },
});
export type EngineState = InferEntity<typeof EngineState>;

/** A call that a provider is at work on, told of every few seconds: what is silent has died and counts no more. */
export const RunningCall = defineEntity({
  name: 'RunningCall',
  properties: {
    engine: p.text().primary(),
    artwork: p.text().primary(),
    call: p.text().primary(),
    beatAt: time(),
  },
});

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

/** An encoded style. It outlives the artwork that encoded it. */
export const Style = defineEntity({
  name: 'Style',
  indexes: [{ properties: ['org', 'id'] }],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade'),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    name: p.text(),
    dna: p.json<EncodedStyle>(),
    createdAt: time(),
  },
});
export type Style = InferEntity<typeof Style>;

/** An image that was sent before the request that names it. */
export const UploadedFile = defineEntity({
  name: 'UploadedFile',
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    contentType: p.text(),
    width: p.integer(),
    height: p.integer(),
    bytes: p.integer(),
    createdAt: time(),
    expiresAt: time(),
  },
});
export type UploadedFile = InferEntity<typeof UploadedFile>;

/** Sums that outlive what they count. */
const Usage = defineEntity({
  name: 'Usage',
  properties: {
    org: () => p.manyToOne(Organization).mapToPk().primary().deleteRule('cascade'),
    /** UTC. */
    day: p.date().primary(),
    /** Empty for requests that are no creation. */
    operation: p.text().primary(),
    key: () => p.manyToOne(ApiKey).mapToPk().primary().deleteRule('cascade'),
    requests: p.bigint('number'),
    artworks: p.bigint('number'),
    credits: p.bigint('number'),
  },
});

/** A change to a key or a secret. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  indexes: [{ properties: ['org', 'id'] }],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade'),
    at: time(),
    /** The id of a key, or `operator`. */
    actor: p.text(),
    action: p.text().$type<AuditAction>(),
    target: p.text(),
    changes: p.json<Record<string, unknown>>(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
export type AuditEntry = InferEntity<typeof AuditEntry>;

/** Requests in the present minute. Read and written by rate-limiter-flexible, which asks for these columns in this order. */
const RateLimit = defineEntity({
  name: 'RateLimit',
  properties: {
    key: p.text().primary(),
    points: p.integer(),
    /** Epoch milliseconds. */
    expire: p.bigint('number').nullable(),
  },
});
/** What changes a balance: given by hand, set aside for an artwork, given back at its end, and paid for it. */
const ledgerKinds = ['grant', 'reserve', 'release', 'charge'] as const;

/** One change of a key's balance. It is only ever added to, and outlives what it is about. */
export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  indexes: [{ properties: ['key', 'createdAt'] }],
  checks: [
    {
      name: 'ledger_entry_amount_check',
      expression: `amount <> 0 and (kind = 'grant' or (amount > 0) = (kind = 'release'))`,
    },
  ],
  properties: {
    /** Of the artwork or answer; of a grant its own. With the kind: each happens once. */
    reference: p.text().primary(),
    kind: p.enum([...ledgerKinds]).primary(),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    /** Null of a grant. */
    operation: p.text().nullable(),
    /** Credits; less than 0 takes away from the balance. */
    amount: p.bigint('number'),
    createdAt: time(),
  },
});
export type LedgerEntry = InferEntity<typeof LedgerEntry>;

export const entities = [
  Organization,
  ApiKey,
  Artwork,
  CallResult,
  CallMessage,
  FailedTry,
  Job,
  EngineState,
  RunningCall,
  Image,
  Delivery,
  Style,
  UploadedFile,
  Usage,
  AuditEntry,
  RateLimit,
  LedgerEntry,
];

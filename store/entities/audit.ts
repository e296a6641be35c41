/** The audit log: every change, and the seals with which the service vouches for its entries. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AuditAction } from '../../schemas/audit.ts';
import { Organization } from './organization.ts';
import { time } from './time.ts';

/** A change by a client, the operator or the service. Entries of one organization, and those of none, form a chain. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  indexes: [{ properties: ['org', 'id'] }, { properties: ['seal', 'org', 'id'] }],
  properties: {
    id: p.text().primary(),
    /** Null for a change that belongs to no organization, such as the pause of an engine. */
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').nullable(),
    at: time(),
    /** The id of a key, `operator` or `service`. */
    actor: p.text(),
    /** The name of the operator; null for other actors, and in entries of release 2.6.2. */
    operatorName: p.text().nullable(),
    action: p.text().$type<AuditAction>(),
    target: p.text(),
    changes: p.json<Record<string, unknown>>(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
    /** The number of its seal in its chain; null until it is sealed. */
    seal: p.integer().nullable(),
  },
});
export type AuditEntry = InferEntity<typeof AuditEntry>;

/** An entry of a seal: the id of an audit entry and the SHA-256 of its content, as hex. */
export interface SealedEntry {
  id: string;
  sha256: string;
}

/** Vouches for entries of a chain, and for the seal before it. */
export const AuditSeal = defineEntity({
  name: 'AuditSeal',
  uniques: [{ properties: ['org', 'number'] }],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').nullable(),
    /** Its number in its chain, from 1. */
    number: p.integer(),
    sealedAt: time(),
    entries: p.json<SealedEntry[]>(),
    /** The SHA-256 of the previous seal; null for the first one. */
    previous: p.text().nullable(),
    previousSealedAt: time().nullable(),
    /** Whether the service has verified the HMAC of the previous seal; true for the first one. */
    previousVerified: p.boolean(),
    /** Identifies the secret of `hmac`. */
    secretId: p.text(),
    /** The SHA-256 of the fields above without `id`, as hex. */
    sha256: p.text(),
    /** The HMAC of `sha256` with a key derived from ATELIER_SECRET, as hex. */
    hmac: p.text(),
  },
});
export type AuditSeal = InferEntity<typeof AuditSeal>;

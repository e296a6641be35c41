/** Usage sums, rate limits and the credit ledger. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { environment } from './environment.ts';
import { Organization, ApiKey } from './organization.ts';
import { time } from './time.ts';

/** Usage sums. They remain when artworks are purged. */
export const Usage = defineEntity({
  name: 'Usage',
  indexes: [
    // The totals of a span are read from the index alone.
    { properties: ['org', 'environment', 'day'], include: ['requests', 'artworks', 'credits'] },
    // For the deletion of a key.
    { properties: ['key'] },
  ],
  properties: {
    org: () => p.manyToOne(Organization).mapToPk().primary().deleteRule('cascade'),
    /** UTC. */
    day: p.date().primary(),
    /** Empty for requests that create nothing. */
    operation: p.text().primary(),
    key: () => p.manyToOne(ApiKey).mapToPk().primary().deleteRule('cascade'),
    environment: environment(),
    requests: p.bigint('number'),
    artworks: p.bigint('number'),
    credits: p.bigint('number'),
  },
});

/** The last batch of counts that a process has added to the sums. */
export const UsageBatch = defineEntity({
  name: 'UsageBatch',
  properties: {
    /** Random id of the counter, one per process. */
    counter: p.text().primary(),
    number: p.bigint('number'),
    savedAt: time(),
  },
});

/** Requests in the current minute. rate-limiter-flexible reads and writes this table and requires this order of columns. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  properties: {
    key: p.text().primary(),
    points: p.integer(),
    /** Epoch milliseconds. */
    expire: p.bigint('number').nullable(),
  },
});

/** A grant by an operator, a reservation for an artwork, its release at the end, and the charge. */
const ledgerKinds = ['grant', 'reserve', 'release', 'charge'] as const;

/**
 * One change of a key's balance. Entries are never updated, and remain when the artwork is purged. A month later, they are
 * folded into a grant with the reference `opening_<key>`, which keeps their sum.
 */
export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  indexes: [{ properties: ['key', 'createdAt'] }, { properties: ['createdAt'] }],
  checks: [
    {
      name: 'ledger_entry_amount_check',
      expression: `amount <> 0 and (kind = 'grant' or (amount > 0) = (kind = 'release'))`,
    },
  ],
  properties: {
    /** The id of the artwork or synchronous request, or of the grant. Each kind occurs once per reference. */
    reference: p.text().primary(),
    kind: p.enum([...ledgerKinds]).primary(),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    /** Null for a grant. */
    operation: p.text().nullable(),
    /** Credits; a negative number reduces the balance. */
    amount: p.bigint('number'),
    createdAt: time(),
  },
});
export type LedgerEntry = InferEntity<typeof LedgerEntry>;

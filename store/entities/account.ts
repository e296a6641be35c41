/** What outlives artworks: sums and the ledger; and the limits of requests. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Organization, ApiKey } from './organization.ts';
import { time } from './time.ts';

/** Sums that outlive what they count. */
export const Usage = defineEntity({
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

/** Requests in the present minute. Read and written by rate-limiter-flexible, which asks for these columns in this order. */
export const RateLimit = defineEntity({
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

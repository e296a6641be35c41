/** The results of verifying the ledger, so that a check reads only later entries. */
import { defineEntity, p } from '@mikro-orm/core';
import { ApiKey } from './organization.ts';
import { time } from './time.ts';

/** How far a sweep of the ledger has come: entries that were created before `at` are `verified`, or `folded`. */
export const LedgerMark = defineEntity({
  name: 'LedgerMark',
  properties: { name: p.enum(['verified', 'folded']).primary(), at: time() },
});

/** The sums of a key's verified entries, including those that have been folded since. */
export const LedgerTotal = defineEntity({
  name: 'LedgerTotal',
  properties: {
    key: () => p.manyToOne(ApiKey).mapToPk().primary().deleteRule('cascade'),
    granted: p.bigint('number'),
    reserved: p.bigint('number'),
    charged: p.bigint('number'),
  },
});

/**
 * References that were open or wrongly settled when their entries were verified. Most of them belong to long artworks.
 */
export const LedgerUnsettled = defineEntity({
  name: 'LedgerUnsettled',
  properties: { reference: p.text().primary() },
});

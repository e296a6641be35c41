/** What an organization has used, by day, operation and key. */
import Type, { type Static } from 'typebox';
import { orNull } from './fields.ts';
import { pageQuery } from './page.ts';

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-21'] });

const sums = {
  requests: Type.Integer({ description: 'Authenticated requests, refused ones and replays too.' }),
  artworks: Type.Integer({ description: 'Artworks that were accepted.' }),
  credits: Type.Integer({ description: 'Credits that were charged.' }),
};

export const usageQuery = Type.Object({
  from: Type.Optional(day('The first day, UTC. Default: 29 days before the last.')),
  to: Type.Optional(day('The last day, UTC. Default: today. At most 366 days in all.')),
  ...pageQuery.properties,
});

export const usageItem = Type.Object(
  {
    date: day('UTC.'),
    operation: orNull(Type.String(), 'null: requests that are no creation.'),
    keyId: Type.String(),
    ...sums,
  },
  { additionalProperties: false },
);
export type UsageItem = Static<typeof usageItem>;

export const usage = Type.Object(
  {
    from: day('UTC.'),
    to: day('UTC.'),
    totals: Type.Object(sums, { additionalProperties: false, description: 'Of all those days, on every page.' }),
    items: Type.Array(usageItem, { description: 'Newest day first.' }),
    nextCursor: orNull(Type.String(), 'Asks for the next page; null on the last one.'),
  },
  { additionalProperties: false },
);

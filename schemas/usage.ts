/** The usage of an organization by day, operation and API key. */
import Type, { type Static } from 'typebox';
import { orNull } from './fields.ts';
import { pageQuery } from './page.ts';

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-21'] });

const sums = {
  requests: Type.Integer({ description: 'Number of authenticated requests, including rejected and replayed ones.' }),
  artworks: Type.Integer({ description: 'Number of accepted artworks.' }),
  credits: Type.Integer({ description: 'Number of charged credits.' }),
};

export const usageQuery = Type.Object({
  from: Type.Optional(day('The first day, in UTC. Default: 29 days before `to`.')),
  to: Type.Optional(day('The last day, in UTC. Default: today. The range can have at most 366 days.')),
  ...pageQuery.properties,
});

export const usageItem = Type.Object(
  {
    date: day('The day, in UTC.'),
    operation: orNull(Type.String(), 'The operation; null for requests that create nothing.'),
    keyId: Type.String(),
    ...sums,
  },
  { additionalProperties: false },
);
export type UsageItem = Static<typeof usageItem>;

export const usage = Type.Object(
  {
    from: day('The first day, in UTC.'),
    to: day('The last day, in UTC.'),
    totals: Type.Object(sums, {
      additionalProperties: false,
      description: 'Totals of the whole range, the same on every page.',
    }),
    items: Type.Array(usageItem, { description: 'Usage by day, operation and API key, newest day first.' }),
    nextCursor: orNull(Type.String(), 'Send this value as `cursor` to get the next page; null on the last page.'),
  },
  { additionalProperties: false },
);

/** The limits of a key and of its organization, as clients read them. */
import Type, { type Static } from 'typebox';
import { environments } from './access.ts';
import { orNull } from './fields.ts';
import type { LimitUnit } from './limits.ts';

const units: LimitUnit[] = ['requests', 'artworks', 'bytes', 'streams', 'keys', 'styles', 'credits'];

const limitView = Type.Object(
  {
    name: Type.String({ examples: ['unfinishedArtworks'] }),
    limit: orNull(Type.Integer({ minimum: 0 }), 'The highest use that is allowed; null if there is no limit.'),
    used: orNull(
      Type.Integer({ minimum: 0 }),
      'The current use; null if it is not counted, because there is no limit.',
    ),
    unit: Type.Enum([...units]),
    resetsAt: orNull(
      Type.String({ format: 'date-time' }),
      'When the use falls to 0 again; null if it does not depend on the time.',
    ),
    description: Type.String(),
  },
  { additionalProperties: false },
);
export type LimitView = Static<typeof limitView>;

export const limitsView = Type.Object(
  {
    environment: Type.Enum([...environments], {
      description:
        'The environment of your key. Each environment has limits of its own, except for credits: test keys pay nothing.',
    }),
    key: Type.Array(limitView, { description: 'The limits of your key.' }),
    organization: Type.Array(limitView, { description: 'The limits of all keys of your organization together.' }),
  },
  { additionalProperties: false },
);
export type LimitsView = Static<typeof limitsView>;

const example = (
  name: string,
  unit: LimitUnit,
  limit: number | null,
  used: number,
  description: string,
): LimitView => ({
  ...{ name, limit, used, unit },
  resetsAt: name.endsWith('PerMinute') ? '2026-11-21T10:15:30.000Z' : null,
  description,
});

export const limitsExample: LimitsView = {
  environment: 'live',
  key: [
    example('creationsPerMinute', 'requests', 600, 12, 'Creations and synchronous requests of this key per minute.'),
  ],
  organization: [
    example('unfinishedArtworks', 'artworks', 2000, 7, 'Artworks and synchronous requests that have not ended.'),
  ],
};

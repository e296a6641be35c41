/** What a client asks a list of artworks for, and what it hears of one that it follows. */
import Type, { type Static } from 'typebox';
import { artwork, statuses } from './artwork.ts';
import { orNull } from './fields.ts';
import { pageQuery } from './page.ts';

export const artworksQuery = Type.Object({
  status: Type.Optional(Type.Enum([...statuses], { description: 'Only artworks with this status.' })),
  operation: Type.Optional(
    Type.String({ description: 'Only artworks of this operation.', examples: ['selena', 'style-dna/generate'] }),
  ),
  ...pageQuery.properties,
});

export const lastEventId = Type.Object({
  'Last-Event-ID': Type.Optional(Type.String({ description: 'The id of the last event that you have seen.' })),
});

/** The data of the event `progress`. */
const progress = Type.Object(
  {
    id: Type.String({ description: 'Of the artwork.' }),
    stage: orNull(Type.String(), 'As on the artwork; null when nothing is left but its end.'),
    done: Type.Integer({ description: 'Calls of its plan whose results are there.' }),
    total: Type.Integer({ description: 'Calls of its plan.' }),
  },
  { additionalProperties: false },
);
export type ProgressView = Static<typeof progress>;

/** One event of the stream, in the words of the HTML standard: its data is a text, which holds JSON. */
export const followedEvent = Type.Object(
  {
    id: Type.String({ description: 'What to send as `Last-Event-ID`.' }),
    event: Type.Enum(['status', 'progress']),
    data: Type.String({
      contentMediaType: 'application/json',
      contentSchema: Type.Union([artwork, progress]),
      description: 'Of `status` the artwork, of `progress` how far it is.',
    }),
  },
  { additionalProperties: false },
);

/** The query of the artwork list, and the events of the stream that follows an artwork. */
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
  'Last-Event-ID': Type.Optional(Type.String({ description: 'The id of the last event that you received.' })),
});

/** The data of the event `progress`. */
const progress = Type.Object(
  {
    id: Type.String({ description: 'The id of the artwork.' }),
    stage: orNull(Type.String(), 'The current stage, as on the artwork; null after the last stage.'),
    done: Type.Integer({ description: 'Number of model calls that have finished.' }),
    total: Type.Integer({ description: 'Number of model calls in all.' }),
  },
  { additionalProperties: false },
);
export type ProgressView = Static<typeof progress>;

/** One event of the stream, with the field names of the HTML standard. Its data is a string of JSON. */
export const followedEvent = Type.Object(
  {
    id: Type.String({ description: 'Send this value as `Last-Event-ID` to resume the stream.' }),
    event: Type.Enum(['status', 'progress']),
    data: Type.String({
      contentMediaType: 'application/json',
      contentSchema: Type.Union([artwork, progress]),
      description: 'For `status`, the artwork; for `progress`, its progress.',
    }),
  },
  { additionalProperties: false },
);

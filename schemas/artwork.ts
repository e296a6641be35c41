/** The artwork as clients see it: on GET, and with four fields more as the body of its webhook. */
import Type, { type Static } from 'typebox';
import { dateTime, orNull, webhookUrl } from './fields.ts';
import { roles } from './image.ts';
import { requestBody } from './request.ts';

export const statuses = ['STARTING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;
export type Status = (typeof statuses)[number];

/** How an artwork can end. */
export type Outcome = Extract<Status, 'SUCCEEDED' | 'FAILED' | 'CANCELED'>;

const id = Type.String({ description: 'Opaque; begins with art_.', examples: ['art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'] });
const operation = Type.String({ description: 'The path after /v2/, less artworks/.', examples: ['selena'] });

/** The 202 of every creation. */
export const accepted = Type.Object(
  {
    id,
    status: Type.Enum([...statuses]),
    operation,
    createdAt: dateTime('When the request was accepted.'),
    expiresAt: dateTime('When everything that the artwork left behind is deleted.'),
    credits: Type.Optional(
      Type.Object(
        { reserved: Type.Integer({ minimum: 1 }) },
        { additionalProperties: false, description: 'The most that it can cost, where it costs anything.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Accepted = Static<typeof accepted>;

const image = Type.Object(
  {
    url: Type.String({ format: 'uri', description: 'Signed; works without the key until expiresAt.' }),
    contentType: Type.String({ examples: ['image/png'] }),
    width: Type.Integer({ description: 'Pixels.' }),
    height: Type.Integer({ description: 'Pixels.' }),
    bytes: Type.Integer({ description: 'Size of the file.' }),
    sha256: Type.String({ description: 'Of the file, lowercase hex.' }),
    seed: orNull(Type.Integer(), 'The seed of this image, where its model takes one.'),
    model: Type.String({ description: 'The engine and model that made it.', examples: ['local/sketch'] }),
    role: Type.Enum([...roles]),
  },
  { additionalProperties: false },
);

const artworkError = Type.Object(
  { status: Type.Integer({ examples: [503] }), message: Type.String() },
  { additionalProperties: false },
);

const artworkFields = {
  id,
  status: Type.Enum([...statuses]),
  stage: Type.Optional(
    Type.String({
      description: 'Only while it is PROCESSING: the stage of its plan, or `waiting for provider`.',
      examples: ['generate'],
    }),
  ),
  operation,
  error: orNull(artworkError, 'Why it failed.'),
  errorCode: orNull(Type.String(), 'The machine-readable name of the error.'),
  input: Type.Record(Type.String(), Type.Unknown(), { description: 'The request, with what the service filled in.' }),
  prompt: orNull(Type.String(), 'The prompt that was sent to the model.'),
  images: Type.Array(image),
  failures: Type.Optional(
    Type.Array(
      Type.Object(
        { model: Type.String(), error: artworkError, errorCode: Type.String() },
        { additionalProperties: false },
      ),
      { description: 'Models that failed while others made the artwork succeed.' },
    ),
  ),
  styleDnaId: orNull(Type.String(), 'The style that this artwork encoded.'),
  credits: Type.Object({ charged: Type.Integer() }, { additionalProperties: false }),
  metadata: Type.Record(Type.String(), Type.String()),
  createdAt: dateTime('When the request was accepted.'),
  startedAt: orNull(Type.String({ format: 'date-time' }), 'When work on it began.'),
  finishedAt: orNull(Type.String({ format: 'date-time' }), 'When it ended.'),
  expiresAt: dateTime('When everything that the artwork left behind is deleted.'),
};

export const artwork = Type.Object(artworkFields, { additionalProperties: false });
export type ArtworkView = Static<typeof artwork>;

/** What of an artwork can be changed. */
export const updateArtwork = requestBody({ webhookUrl });

const eventTypes = ['artwork.succeeded', 'artwork.failed', 'artwork.canceled'] as const;

/** The body of the one webhook of a finished artwork, frozen when it finishes. */
export const artworkEvent = Type.Object(
  {
    type: Type.Enum([...eventTypes]),
    eventId: Type.String({ description: 'The same on every try; use it to drop repeats.' }),
    timestamp: dateTime('When the artwork ended.'),
    ...artworkFields,
  },
  { additionalProperties: false },
);
export type ArtworkEvent = Static<typeof artworkEvent>;

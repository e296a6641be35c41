/** The artwork as clients read it: the body of GET and, with three more fields, of its webhook. */
import Type, { type Static } from 'typebox';
import { environments } from './access.ts';
import { dateTime, orNull, webhookUrl } from './fields.ts';
import { roles } from './image.ts';
import { requestBody } from './request.ts';

export const statuses = ['STARTING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;
export type Status = (typeof statuses)[number];

/** The statuses of an ended artwork. */
export type Outcome = Extract<Status, 'SUCCEEDED' | 'FAILED' | 'CANCELED'>;

const id = Type.String({
  description: 'Unique identifier of the artwork. Starts with `art_`.',
  examples: ['art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'],
});
const operation = Type.String({
  description: 'The operation: its path without `/v2/` and `artworks/`.',
  examples: ['selena'],
});

/** The body of the 202 response to every creation. */
export const accepted = Type.Object(
  {
    id,
    status: Type.Enum([...statuses]),
    operation,
    createdAt: dateTime('When the request was accepted.'),
    expiresAt: dateTime('When the artwork and its images are deleted.'),
    credits: Type.Optional(
      Type.Object(
        { reserved: Type.Integer({ minimum: 1 }) },
        {
          additionalProperties: false,
          description: 'Credits reserved for the artwork: the most that it can cost. Absent if it is free.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Accepted = Static<typeof accepted>;

const image = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'A signed link that needs no API key and works until `expiresAt`.',
    }),
    contentType: Type.String({ examples: ['image/png'] }),
    width: Type.Integer({ description: 'Width in pixels.' }),
    height: Type.Integer({ description: 'Height in pixels.' }),
    bytes: Type.Integer({ description: 'Size of the file in bytes.' }),
    sha256: Type.String({ description: 'SHA-256 digest of the file, in lowercase hexadecimal.' }),
    seed: orNull(Type.Integer(), 'The seed of this image; null if its model takes no seed.'),
    model: Type.String({ description: 'The engine and model that made the image.', examples: ['local/sketch'] }),
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
      description: 'The current stage, or `waiting for provider`. Present only while the status is PROCESSING.',
      examples: ['generate'],
    }),
  ),
  operation,
  environment: Type.Enum([...environments], {
    description: 'The environment of the API key that created the artwork.',
  }),
  error: orNull(artworkError, 'Why the artwork failed; null unless it failed.'),
  errorCode: orNull(Type.String(), 'The machine-readable error code; null unless the artwork failed.'),
  input: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The request, with the values that the service filled in.',
  }),
  prompt: orNull(Type.String(), 'The prompt that was sent to the image model.'),
  images: Type.Array(image),
  failures: Type.Optional(
    Type.Array(
      Type.Object(
        { model: Type.String(), error: artworkError, errorCode: Type.String() },
        { additionalProperties: false },
      ),
      { description: 'Models that failed although the artwork succeeded.' },
    ),
  ),
  styleDnaId: orNull(Type.String(), 'The id of the style that this artwork encoded or was made in.'),
  credits: Type.Object({ charged: Type.Integer() }, { additionalProperties: false }),
  metadata: Type.Record(Type.String(), Type.String()),
  createdAt: dateTime('When the request was accepted.'),
  startedAt: orNull(Type.String({ format: 'date-time' }), 'When processing began.'),
  finishedAt: orNull(Type.String({ format: 'date-time' }), 'When the artwork ended.'),
  expiresAt: dateTime('When the artwork and its images are deleted.'),
};

export const artwork = Type.Object(artworkFields, { additionalProperties: false });
export type ArtworkView = Static<typeof artwork>;

/** The body of the request that changes an artwork. */
export const updateArtwork = requestBody({ webhookUrl });

const eventTypes = ['artwork.succeeded', 'artwork.failed', 'artwork.canceled'] as const;

/** The body of the webhook of an ended artwork, which never changes after the artwork has ended. */
export const artworkEvent = Type.Object(
  {
    type: Type.Enum([...eventTypes]),
    eventId: Type.String({
      description: 'Identifier of the event, the same for every delivery attempt. Use it to ignore duplicates.',
    }),
    timestamp: dateTime('When the artwork ended.'),
    ...artworkFields,
  },
  { additionalProperties: false },
);
export type ArtworkEvent = Static<typeof artworkEvent>;

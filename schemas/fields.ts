/** The fields that requests are made of, each once: type, limits and words for OpenAPI. Lengths count code points. */
import Type from 'typebox';
import { longestAddress } from './addresses.ts';
import { imageFormat } from './image-fields.ts';
import { outputFormats } from './image.ts';

/** A time as every answer gives it: ISO 8601, UTC, milliseconds. */
export const dateTime = (description: string) => Type.String({ format: 'date-time', description });

export const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Code points. */
export const longestPrompt = 4000;

/** What every text of a client has to hold: something to read. */
export const somethingToRead = String.raw`\S`;

/** A text that says something. */
export const words = (maxLength: number, options: Type.TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: somethingToRead, ...options });

export const prompt = words(longestPrompt, {
  description: 'What to make, in words.',
  examples: ['a lighthouse on a cliff at dusk, gulls over the sea'],
});

export const negativePrompt = words(longestPrompt, {
  description: 'What to keep out of the picture.',
});

export const promptMode = Type.Enum(['seer', 'servitor'], {
  default: 'servitor',
  description: '`servitor` sends the prompt as it is; `seer` has a language model enhance it first.',
});

export const seed = Type.Integer({
  minimum: 0,
  maximum: 4294967295,
  description: 'The same request with the same seed gives the same picture. Chosen and echoed when absent.',
});

export const optionalSeed = Type.Optional(seed);

export const instruction = words(longestPrompt, {
  description: 'What to change.',
  examples: ['make it warmer and blur the background'],
});

export const exampleStyle = 'sty_01KAJ3V8C0Q5M2X7ZB4N9TDWEH';

export const styleDnaId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'An encoded style; see /v2/style-dna.',
  examples: [exampleStyle],
});

export const side = (description: string) =>
  Type.Integer({ minimum: 256, maximum: 2048, multipleOf: 8, description: `${description} in pixels. ` });

export const numImages = Type.Integer({
  minimum: 1,
  maximum: 4,
  default: 1,
  description: 'How many images; each has the next seed.',
});

export const image = (description: string) =>
  Type.String({
    format: imageFormat,
    description:
      `${description} An https URL, a base64 data URI, or the id of an uploaded file. PNG, JPEG or WebP, at most 20 MB ` +
      'and 25 megapixels, each side at least 64 pixels.',
    examples: ['https://example.com/photo.jpg'],
  });

export const webhookUrl = Type.String({
  maxLength: longestAddress,
  format: 'webhook-url',
  description: 'Absolute http(s) address that receives the signed event. Without it, read the artwork by its id.',
  examples: ['https://example.com/hooks/atelier'],
});

/** The fields that every creation takes. */
export const creationFields = {
  webhookUrl: Type.Optional(webhookUrl),
  nsfw: Type.Boolean({ default: false, description: '`true` allows NSFW output; `false` suppresses it.' }),
  // Not a Type.Record: that forgets the limits of names, and lets names with line breaks have any value.
  metadata: Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 512 },
    maxProperties: 16,
    default: {},
    description: 'At most 16 pairs of strings of your own, echoed on the artwork and in its event.',
  }),
  outputFormat: Type.Enum([...outputFormats], { default: 'png', description: 'File format of the images.' }),
};

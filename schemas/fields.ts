/** The fields that several requests share: type, limits and OpenAPI description. Lengths count code points. */
import Type from 'typebox';
import { longestAddress } from './addresses.ts';
import { imageFormat } from './image-fields.ts';
import { outputFormats } from './image.ts';

/** A time in a response: ISO 8601, in UTC, with milliseconds. */
export const dateTime = (description: string) => Type.String({ format: 'date-time', description });

export const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Maximum length of a prompt in code points. */
export const longestPrompt = 4000;

/** Matches text that is not blank. */
export const notBlank = String.raw`\S`;

/** A text that is not blank. */
export const words = (maxLength: number, options: Type.TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: notBlank, ...options });

export const prompt = words(longestPrompt, {
  description: 'A description of the image to create.',
  examples: ['a lighthouse on a cliff at dusk, gulls over the sea'],
});

export const negativePrompt = words(longestPrompt, {
  description: 'A description of what the image should not contain.',
});

export const promptMode = Type.Enum(['seer', 'servitor'], {
  default: 'servitor',
  description:
    '`servitor` sends the prompt to the image model unchanged; `seer` lets a language model enhance it first.',
});

export const optionalSeed = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 4294967295,
    description:
      'The same request with the same seed creates the same image. If you omit the seed, the service chooses one and returns it.',
  }),
);

export const instruction = words(longestPrompt, {
  description: 'What to change in the image.',
  examples: ['make it warmer and blur the background'],
});

export const exampleStyle = 'sty_01KAJ3V8C0Q5M2X7ZB4N9TDWEH';

export const styleDnaId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The id of an encoded style; see /v2/style-dna.',
  examples: [exampleStyle],
});

export const side = (description: string) =>
  Type.Integer({ minimum: 256, maximum: 2048, multipleOf: 8, description: `${description} in pixels.` });

export const numImages = Type.Integer({
  minimum: 1,
  maximum: 4,
  default: 1,
  description: 'Number of images to create. Each image uses the seed after that of the previous image.',
});

export const image = (description: string) =>
  Type.String({
    format: imageFormat,
    description:
      `${description} Send an https URL, a base64 data URI, or the id of an uploaded file. The image must be a PNG, ` +
      'JPEG or WebP of at most 20 MB and 25 megapixels, with at least 64 pixels on each side.',
    examples: ['https://example.com/photo.jpg'],
  });

export const webhookUrl = Type.String({
  maxLength: longestAddress,
  format: 'webhook-url',
  description:
    'The absolute http or https URL that receives the signed event when the artwork ends. Without it, read the artwork by its id.',
  examples: ['https://example.com/hooks/atelier'],
});

/** A field of every request to a model. */
export const nsfw = Type.Boolean({
  default: false,
  description: 'Whether to allow prompts and images that are not safe for work.',
});

/** The fields of every request that creates an artwork. */
export const creationFields = {
  webhookUrl: Type.Optional(webhookUrl),
  nsfw,
  // Type.Record drops the limits of names and accepts any value for names with line breaks.
  metadata: Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 512 },
    maxProperties: 16,
    default: {},
    description: 'Up to 16 key–value pairs of your own, returned with the artwork and in its event.',
  }),
  outputFormat: Type.Enum([...outputFormats], { default: 'png', description: 'The file format of the images.' }),
};

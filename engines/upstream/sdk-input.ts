/** The fields that a mapping can fill for image models of the AI SDK, and their validation. */
import type { JSONValue } from 'ai';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import Type, { type TSchema } from 'typebox';
import { EngineError, type InputImage } from '../contract/index.ts';
import type { ImagePrompt } from './image-prompt.ts';

/** Fields of the SDK, and those of `ImagePrompt`, which the SDK does not have. */
export interface ImageInput extends ImagePrompt {
  /** `1536x1024` */
  size?: `${number}x${number}`;
  /** `16:9` */
  aspectRatio?: `${number}:${number}`;
  seed?: number;
  images?: [InputImage, ...InputImage[]];
  mask?: InputImage;
  providerOptions?: Record<string, Record<string, JSONValue>>;
}

const image = Type.Object({ bytes: Type.Object({}), width: Type.Integer(), height: Type.Integer() });

const fieldSchemas = {
  prompt: Type.String({ minLength: 1 }),
  negativePrompt: Type.String(),
  strength: Type.Number({ minimum: 0, maximum: 1 }),
  size: Type.String({ pattern: '^(auto|[0-9]+x[0-9]+)$' }),
  aspectRatio: Type.String({ pattern: '^[0-9]+:[0-9]+$' }),
  seed: Type.Integer({ minimum: 0 }),
  images: Type.Array(image, { minItems: 1 }),
  mask: image,
} satisfies Record<Exclude<keyof ImageInput, 'providerOptions'>, TSchema>;

export type ImageInputField = keyof typeof fieldSchemas;

const closed = (properties: Record<string, TSchema>) =>
  Type.Object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])), {
    additionalProperties: false,
  });

const anything = Type.Unknown();

/** Returns a schema that checks the names of a provider's options. The SDK checks their values. */
export const optionsNamed = (names: readonly string[], exact: Record<string, TSchema> = {}): TSchema =>
  closed({ ...Object.fromEntries(names.map((name) => [name, anything])), ...exact });

/**
 * Returns a function that validates an input. It rejects unknown fields and misspelled options, which the SDK would drop.
 * It throws EngineError `provider_rejected`, which names the field but not its value.
 * @param supported fields that reach the provider @param options schemas by the provider's name in the SDK
 */
export function inputReader(supported: readonly ImageInputField[], options: Record<string, TSchema>) {
  const fields = Object.fromEntries(supported.map((name) => [name, fieldSchemas[name]]));
  const schema = closed({ ...fields, providerOptions: closed(options) });
  const isImageInput = new Ajv2020({ strict: false, validateSchema: false }).compile<ImageInput>(schema);
  return (who: string, input: unknown): ImageInput => {
    if (isImageInput(input)) return input;
    const field = fieldOf(isImageInput.errors?.[0]);
    throw new EngineError('provider_rejected', `${who} does not support ${field}. Change "input".`);
  };
}

function fieldOf({ instancePath, params }: Partial<ErrorObject> = {}): string {
  const { additionalProperty } = Object(params) as { additionalProperty?: string };
  return additionalProperty === undefined ? (instancePath ?? '') : `${instancePath}/${additionalProperty}`;
}

/** The fields of an image model of the AI SDK that a mapping may fill, and the reading of what it has filled. */
import type { JSONValue } from 'ai';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import Type, { type TSchema } from 'typebox';
import type { InputImage } from '../../schemas/tasks.ts';
import { EngineError } from '../contract/index.ts';
import type { ImagePrompt } from './image-prompt.ts';

/** The SDK's own words, and those of `ImagePrompt`, which it has none for. */
export interface Drawing extends ImagePrompt {
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

const kinds = {
  prompt: Type.String({ minLength: 1 }),
  negativePrompt: Type.String(),
  strength: Type.Number({ minimum: 0, maximum: 1 }),
  size: Type.String({ pattern: '^(auto|[0-9]+x[0-9]+)$' }),
  aspectRatio: Type.String({ pattern: '^[0-9]+:[0-9]+$' }),
  seed: Type.Integer({ minimum: 0 }),
  images: Type.Array(image, { minItems: 1 }),
  mask: image,
} satisfies Partial<Record<keyof Drawing, TSchema>>;

export type DrawingField = keyof typeof kinds;

const closed = (properties: Record<string, TSchema>) =>
  Type.Object(Object.fromEntries(Object.entries(properties).map(([name, kind]) => [name, Type.Optional(kind)])), {
    additionalProperties: false,
  });

const anything = Type.Unknown();

/** Options of a provider by their names, whatever their values: the SDK itself looks at these. */
export const optionsNamed = (names: readonly string[], exact: Record<string, TSchema> = {}): TSchema =>
  closed({ ...Object.fromEntries(names.map((name) => [name, anything])), ...exact });

/**
 * The SDK drops a field that it does not know, and an option that is misspelled. Here they are refused.
 * @param honoured what really reaches the provider @param options by the provider's name in the SDK
 * @returns reads an input @throws EngineError `provider_rejected` that names the field, never its value
 */
export function drawingReader(honoured: readonly DrawingField[], options: Record<string, TSchema>) {
  const fields = Object.fromEntries(honoured.map((name) => [name, kinds[name]]));
  const schema = closed({ ...fields, providerOptions: closed(options) });
  const isDrawing = new Ajv2020({ strict: false }).compile<Drawing>(schema);
  return (who: string, input: unknown): Drawing => {
    if (isDrawing(input)) return input;
    throw new EngineError(
      'provider_rejected',
      `${who} cannot be given ${where(isDrawing.errors?.[0])} as it is mapped`,
    );
  };
}

function where({ instancePath, params }: Partial<ErrorObject> = {}): string {
  const { additionalProperty } = Object(params) as { additionalProperty?: string };
  return additionalProperty === undefined ? (instancePath ?? '') : `${instancePath}/${additionalProperty}`;
}

/** The operator's file that binds model names to providers: `ATELIER_ENGINES`. */
import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false };

/** The names of protocols; each has a folder below `engines/upstream/`. */
export const protocols = ['openai', 'openai-compatible', 'google', 'replicate', 'fal', 'comfyui'] as const;

const duration = (description: string) =>
  Type.String({
    pattern: '^\\d+(\\.\\d+)? ?(ms|s|m|h|seconds?|minutes?|hours?)$',
    description,
    examples: ['90s', '3m'],
  });

const rate = Type.Object(
  {
    perSecond: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Maximum calls that start per second.' }),
    ),
    concurrent: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum concurrent calls.' })),
  },
  { ...closed, minProperties: 1, description: 'Limits of the provider, over all workers together.' },
);

export type ProviderLimits = Static<typeof rate>;

const engine = Type.Object(
  {
    protocol: Type.Enum([...protocols], { description: 'The protocol of the provider.' }),
    key: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]*$',
        description: 'Name of the environment variable with the API key. The file never contains the key itself.',
      }),
    ),
    baseUrl: Type.Optional(
      Type.String({ pattern: '^https?://[^@?#]+$', description: 'Replaces the protocol’s own address.' }),
    ),
    rate: Type.Optional(rate),
    vision: Type.Optional(Type.Boolean({ description: 'Whether a language model accepts images.' })),
    jsonSchema: Type.Optional(
      Type.Boolean({ description: 'Whether the server of a language model enforces a JSON Schema.' }),
    ),
  },
  closed,
);

const pointer = (description: string) => Type.String({ pattern: '^(/[^/]+)+$', description });

const binding = Type.Object(
  {
    engine: Type.String({ minLength: 1, description: 'A name from `engines`, or `local` for the embedded engine.' }),
    model: Type.Optional(Type.String({ minLength: 1, description: 'The provider’s name for the model.' })),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The provider’s fields: constants, or `{"from": "prompt"}` for our fields. See docs/engines/README.md.',
      }),
    ),
    output: Type.Optional(
      Type.Object(
        {
          images: Type.Optional(pointer('JSON pointer with `*` to the images in the provider’s output.')),
          seed: Type.Optional(pointer('JSON pointer to the seed that was used.')),
        },
        closed,
      ),
    ),
    nsfw: Type.Optional(
      Type.Boolean({
        description:
          'Whether the model accepts requests with `nsfw: true`. Default true. With false, such a request goes to the ' +
          'next engine.',
      }),
    ),
    maxInputPixels: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Maximum pixels of each image that the model accepts. A request with a larger image goes to the next engine.',
      }),
    ),
    timeout: Type.Optional(duration('Timeout of one call. Default 5m.')),
    rate: Type.Optional(rate),
    priceClass: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Label for the operator’s own accounting.' }),
    ),
  },
  closed,
);

export const enginesFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    engines: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }), engine, {
      ...closed,
      description:
        'Providers, under names of up to 40 lower-case letters, digits and hyphens that begin with a letter.',
    }),
    models: Type.Record(Type.String({ minLength: 1 }), Type.Array(binding, { minItems: 1, maxItems: 5 }), {
      description:
        'The engines of each model, in order of preference. The next engine is used only when one is unavailable. A ' +
        'model that is not listed stays with its embedded engine.',
    }),
    deadlines: Type.Optional(
      Type.Record(
        Type.String(),
        duration('How long an artwork waits while all engines of the model are unavailable. Default 30m.'),
      ),
    ),
    tasks: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Tasks of models that are not built in, such as `text-to-image`.',
      }),
    ),
  },
  { ...closed, title: 'Engines of Atelier' },
);
export type EnginesFile = Static<typeof enginesFile>;
export type EngineEntry = Static<typeof engine>;
export type BindingEntry = Static<typeof binding>;

/** The operator's file that binds model names to providers: `ATELIER_ENGINES`. */
import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false };

/** The names of wire protocols; each is a file under `engines/upstream/`. */
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
      Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Calls that may begin in a second.' }),
    ),
    concurrent: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Calls that may run at once.' })),
  },
  { ...closed, minProperties: 1, description: 'What the provider allows, over all workers together.' },
);

const engine = Type.Object(
  {
    protocol: Type.Enum([...protocols], { description: 'The wire protocol that the provider speaks.' }),
    key: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]*$',
        description:
          'Name of the environment variable that holds the API key. The key itself never stands in this file.',
      }),
    ),
    baseUrl: Type.Optional(
      Type.String({ pattern: '^https?://[^@?#]+$', description: 'In place of the protocol’s own address.' }),
    ),
    rate: Type.Optional(rate),
    vision: Type.Optional(Type.Boolean({ description: 'Of a language model: whether it can see.' })),
    jsonSchema: Type.Optional(
      Type.Boolean({ description: 'Of a language model: whether its server holds it to a JSON Schema.' }),
    ),
  },
  closed,
);

const pointer = (description: string) => Type.String({ pattern: '^(/[^/]+)+$', description });

const binding = Type.Object(
  {
    engine: Type.String({ minLength: 1, description: 'A name from `engines`, or `local` for the embedded one.' }),
    model: Type.Optional(Type.String({ minLength: 1, description: 'As the provider calls it.' })),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The provider’s fields: constants, and `{"from": "prompt"}` for ours. See docs/engines/README.md.',
      }),
    ),
    output: Type.Optional(
      Type.Object(
        {
          images: Type.Optional(pointer('Where the images are in the answer: a JSON pointer with `*`.')),
          seed: Type.Optional(pointer('Where the seed is that was used.')),
        },
        closed,
      ),
    ),
    timeout: Type.Optional(duration('How long one call may take. Default 5m.')),
    rate: Type.Optional(rate),
    priceClass: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'For the operator’s own books.' }),
    ),
  },
  closed,
);

export const enginesFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    engines: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }), engine, {
      description: 'Providers by names of your own.',
    }),
    models: Type.Record(Type.String({ minLength: 1 }), Type.Array(binding, { minItems: 1, maxItems: 5 }), {
      description:
        'The catalogue’s names of models, and what answers for them: in order, the next is taken when one is down, and ' +
        'only then. A model that is not here is answered by the embedded engine.',
    }),
    deadlines: Type.Optional(
      Type.Record(
        Type.String(),
        duration('How long an artwork waits for engines that are down, by model, over all tries. Default 30m.'),
      ),
    ),
    tasks: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'What a model does that is not the product’s own, such as `text-to-image`.',
      }),
    ),
  },
  { ...closed, title: 'Engines of Atelier' },
);
export type EnginesFile = Static<typeof enginesFile>;
export type EngineEntry = Static<typeof engine>;
export type BindingEntry = Static<typeof binding>;

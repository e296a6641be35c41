/** Derives the JSON Schema of the `ATELIER_PRICES` file from the operations, so that it rejects unknown names and values. */
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { Operation } from './operation.ts';

const credits = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }));

/** The components of the price of an artwork, which depends on its images. */
const artworkTariff = { base: credits, perImage: credits, perMegapixel: credits };
/** The components of the price of a synchronous request, which depends on its tokens. */
const synchronousTariff = { base: credits, perThousandTokens: credits };

const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });

export function priceListSchema(operations: readonly Operation[]): TObject {
  return closed(
    Object.fromEntries(operations.map((operation) => [operation.name, Type.Optional(priceSchema(operation))])),
  );
}

function priceSchema({ request, synchronous }: Operation): TObject {
  const tariff: TProperties = synchronous ? synchronousTariff : artworkTariff;
  const chosen = Object.entries(request.properties).filter(([, schema]) => isChoice(schema));
  const when = Object.fromEntries(chosen.map(([name, schema]) => [name, Type.Optional(withoutDefault(schema))]));
  const override = closed({ when: Type.Object(when, { additionalProperties: false, minProperties: 1 }), ...tariff });
  return closed({ ...tariff, overrides: Type.Optional(Type.Array(override)) });
}

/** Returns whether a price can depend on a field: on a choice or a number, not on a text or an image. */
function isChoice(schema: TSchema): boolean {
  const { type } = schema as { type?: unknown };
  return 'enum' in schema || type === 'boolean' || type === 'integer' || type === 'number';
}

/** Returns the schema without its default, which would add a condition that the operator did not write. */
function withoutDefault(schema: TSchema): TSchema {
  const { default: _default, ...rest } = schema as TSchema & { default?: unknown };
  return rest;
}

/** The file of `ATELIER_PRICES` as a JSON Schema, made from the operations: unknown names and values do not pass. */
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { Operation } from './operation.ts';

const credits = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }));

/** An artwork is priced by what it shows, an answer by what it says. */
const ofArtworks = { base: credits, perImage: credits, perMegapixel: credits };
const ofAnswers = { base: credits, perThousandTokens: credits };

const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });

export function priceListSchema(operations: readonly Operation[]): TObject {
  return closed(Object.fromEntries(operations.map((operation) => [operation.name, Type.Optional(priceOf(operation))])));
}

function priceOf({ request, answer }: Operation): TObject {
  const tariff: TProperties = answer ? ofAnswers : ofArtworks;
  const chosen = Object.entries(request.properties).filter(([, schema]) => isChoice(schema));
  const when = Object.fromEntries(chosen.map(([name, schema]) => [name, Type.Optional(withoutDefault(schema))]));
  const override = closed({ when: Type.Object(when, { additionalProperties: false, minProperties: 1 }), ...tariff });
  return closed({ ...tariff, overrides: Type.Optional(Type.Array(override)) });
}

/** Prices do not depend on words or images. */
function isChoice(schema: TSchema): boolean {
  const { type } = schema as { type?: unknown };
  return 'enum' in schema || type === 'boolean' || type === 'integer' || type === 'number';
}

/** A condition that is not there must not come to be by itself. */
function withoutDefault(schema: TSchema): TSchema {
  const { default: _default, ...rest } = schema as TSchema & { default?: unknown };
  return rest;
}

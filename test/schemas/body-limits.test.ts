/** Every valid request fits into the limit of its body. */
import { expect, test } from '@jest/globals';
import type { TObject } from 'typebox';
import { imageBody, limitBody, textBody } from '../../schemas/body-limits.ts';
import { allEndpoints, findOperations } from '../../services/operations.ts';

interface FieldSchema {
  type?: string | string[];
  enum?: readonly unknown[];
  format?: string;
  maxLength?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  propertyNames?: FieldSchema;
  additionalProperties?: FieldSchema | boolean;
}

/** Bytes of a character: those of all characters of the Basic Multilingual Plane. */
const bytesPerCharacter = 3;
/** Maximum bytes of a number, a literal or a date-time. */
const shortValue = 64;

/** Returns the bytes of the longest JSON of a schema. @throws Error for a text without a limit */
function longest(schema: FieldSchema): number {
  const { enum: values, format, maxLength, maxProperties, items, properties, propertyNames } = schema;
  if (values) return Math.max(...values.map((value) => JSON.stringify(value).length));
  if (properties) return sum(Object.entries(properties).map(([name, field]) => name.length + 4 + longest(field)));
  if (items) {
    const atMost = schema.maxItems ?? (schema.uniqueItems ? items.enum?.length : undefined) ?? Infinity;
    return atMost * (longest(items) + 1) + 2;
  }
  const { additionalProperties } = schema;
  if (propertyNames && typeof additionalProperties === 'object') {
    return (maxProperties ?? Infinity) * (longest(propertyNames) + longest(additionalProperties) + 2) + 2;
  }
  if (maxLength !== undefined) return maxLength * bytesPerCharacter + 2;
  if ([schema.type].flat().includes('string') && format !== 'date-time') throw new Error('A text has no limit');
  return shortValue;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 2);

const bodies = allEndpoints(await findOperations()).flatMap(({ method, path, body }) =>
  body ? [[`${method} ${path}`, body] as [string, TObject]] : [],
);
const texts = bodies.filter(([, body]) => limitBody(body) === textBody);

test.each([
  ['POST /v2/artworks/selena', textBody],
  ['POST /v2/textcraft', textBody],
  ['PATCH /v2/artworks/:id', textBody],
  ['POST /v2/artworks/depth-map', imageBody],
  // Its only image field is a list.
  ['POST /v2/style-dna/generate-anchor', imageBody],
])('limits %s by its fields', (name, limit) => {
  expect(limitBody(new Map(bodies).get(name)!)).toBe(limit);
});

test.each(texts)('the longest body of %s fits', (_name, body) => {
  expect(longest(body as FieldSchema)).toBeLessThan(textBody.bytes);
});

/** Generates JSON with values that a reader of an example does not expect. */
import fc from 'fast-check';

/** Stands for a value that no JavaScript value can express, or that takes too long to write. */
const marks: Readonly<Record<string, string>> = {
  deepList: nested('[', ']', 6000),
  deepObject: nested('{"a":', '}', 6000),
  prototype: '{"__proto__":{"toString":1},"constructor":1}',
  infinite: '1e999',
  precise: '0.1234567890123456789',
  repeated: '{"a":1,"a":{"a":2}}',
};

function nested(open: string, close: string, levels: number): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

const mark = (name: string) => `@${name}@`;

const values: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 53, '', ' ', '0', 'null', 'x'.repeat(5000), '\0', '\ud800', '[]'],
  ...[[], {}, [[]], [null], [{}], { toString: 1 }, { toString: 'x', valueOf: null }, { toJSON: 1 }, { length: 1e9 }],
  ...[Array<number>(3000).fill(1), ...Object.keys(marks).map(mark)],
];

/** A document that is nothing but deep. */
export const deepJson: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const, ['[[],', ']'] as const),
    fc.nat(12_000),
    fc.boolean(),
  )
  .map(([[open, close], levels, isClosed]) => open.repeat(levels) + (isClosed ? `1${close.repeat(levels)}` : ''));

/** @param examples JSON of objects or lists */
export function hostileJson(examples: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(10_000), value: fc.constantFrom(...values), isNew: fc.boolean() });
  return fc
    .tuple(fc.constantFrom(...examples), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([example, changes]) => {
      const document: Record<string, unknown> = { root: JSON.parse(example) as unknown };
      for (const { at, value, isNew } of changes) {
        const places = placesIn(document);
        const { owner, name } = places[at % places.length] ?? { owner: document, name: 'root' };
        // A copy, because a later change may be made inside this value.
        const copy = structuredClone(value);
        if (!isNew || owner === document) owner[name] = copy;
        else if (Array.isArray(owner)) owner.push(copy);
        else owner[`${name}x`] = copy;
      }
      const text = JSON.stringify(document['root']);
      return Object.entries(marks).reduce((json, [key, value]) => json.replaceAll(`"${mark(key)}"`, value), text);
    });
}

interface Place {
  owner: Record<string, unknown>;
  name: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.entries(owner).flatMap(([name, inner]) => [{ owner, name }, ...placesIn(inner)]);
}

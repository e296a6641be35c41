/** Generates hostile inputs: damaged valid ones, odd characters, long runs, deep nesting, unexpected JSON. */
import fc from 'fast-check';
import { deepJson, hostileJson } from './hostile-json.ts';

/** Texts that have a meaning to some parser, or that a careless one reads wrongly. */
const pieces = [
  ...'\0\u0001\x7f\x80\xff\u202e\ufeff\u2028\r\n\t éİßﬁ🦊',
  ...'%"\'`\\/{}[]()<>,:;=&*|$#?@.-',
  ...['\ud800', '\udfff', '\r\n', '```', '\\u0000', '//', '..', '../', '</', '%00', '%ff', '%zz', '%2e', 'a', 'A-'],
  ...['0', '-1', '1e999', '0x1', '9'.repeat(40), 'NaN', 'null', 'true', '__proto__', 'constructor', 'toString'],
];

/** Units of long runs, which keep a careless pattern busy. */
export const units = [
  ...'aA0 \t\n\0\xffé🦊.,;:-_=/%"\'\\`([{<)]}>|&*#@!',
  ...['\ud800', '\r\n', '%41', '\\"', '```', '</', 'a ', ' a', 'a,', ', ', '1,', '1-', '-1,', 'a=', 'a:', '- ', '? '],
  ...['[1,', '{"a":', '&a *a ', 'wait=', 'breast '],
];

const damages = ['flip', 'delete', 'insert', 'repeat', 'truncate', 'replace', 'splice'] as const;

interface Damage {
  kind: (typeof damages)[number];
  /** Where, as a share of the text. */
  at: number;
  /** Characters. */
  length: number;
  piece: string;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom(...damages),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof(fc.nat(8), fc.nat(200)),
  piece: fc.constantFrom(...pieces),
});

/** @param longest maximum characters */
export function hostileInput(examples: readonly string[], longest: number): fc.Arbitrary<string> {
  const example = fc.constantFrom(...examples);
  const damaged = fc
    .tuple(example, example, fc.array(damage, { minLength: 1, maxLength: 5 }))
    .map(([text, other, all]) => all.reduce((before, one) => apply(one, before, other), text));
  const json = examples.filter(isJsonDocument);
  const run = fc
    .tuple(fc.constantFrom('', ...examples), fc.constantFrom(...units), fc.nat(2000), fc.constantFrom('', ...pieces))
    .map(([head, unit, count, tail]) => head + unit.repeat(count) + tail);
  const odd = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));
  const choices: fc.WeightedArbitrary<string>[] = [
    { weight: 8, arbitrary: damaged },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
    { weight: 2, arbitrary: run },
    { weight: 1, arbitrary: deepJson },
    ...(json.length > 0 ? [{ weight: 8, arbitrary: hostileJson(json) }] : []),
  ];
  return fc.oneof(...choices).map((text) => text.slice(0, longest));
}

function apply({ kind, at, length, piece }: Damage, text: string, other: string): string {
  const begin = Math.floor(at * text.length);
  const [head, part, tail] = [text.slice(0, begin), text.slice(begin, begin + length), text.slice(begin + length)];
  switch (kind) {
    case 'flip':
      return head + String.fromCharCode(text.charCodeAt(begin) ^ (1 << (length % 8))) + text.slice(begin + 1);
    case 'delete':
      return head + tail;
    case 'insert':
      return head + piece + part + tail;
    case 'repeat':
      return head + part.repeat(length) + tail;
    case 'truncate':
      return head;
    case 'replace':
      return head + piece.repeat(Math.max(part.length, 1)) + tail;
    case 'splice':
      return head + other.slice(Math.floor(at * other.length));
  }
}

function isJsonDocument(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

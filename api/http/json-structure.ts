/** Limits the number of values in JSON before it is parsed: parsing thirty million brackets takes a gigabyte and seconds. */
import type { FieldError } from '../../services/problem.ts';
import { maxValues, tooManyValues } from '../../services/body-checks.ts';

/**
 * Maximum commas and opening brackets. Far above the limit of a valid body, because `checkShape` describes faults
 * better.
 */
const maxJsonTokens = 100 * maxValues;

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma, bracket, brace] = [code('"'), code('\\'), code(','), code('['), code('{')];

/** Returns why JSON in UTF-8 is too large to parse; null when it is not. */
export function checkStructure(bytes: Buffer): FieldError | null {
  let left = maxJsonTokens;
  if (bytes.length <= left) return null;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if ((byte === comma || byte === bracket || byte === brace) && --left < 0) return tooManyValues;
  }
  return null;
}

/** Bytes to compare one by one before calling `indexOf`. One call costs about as much as these comparisons. */
const scanned = 64;

/** Returns the position of the quote that closes the string which begins at `begin`. */
function endOfString(bytes: Buffer, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length) {
    for (const far = at + scanned; at < far && at < bytes.length; at++) {
      if (bytes[at] === backslash) at++;
      else if (bytes[at] === quote) return at;
    }
    const next = bytes.indexOf(quote, at);
    if (next === -1) break;
    if (!isEscaped(bytes, next, at)) return next;
    at = next + 1;
  }
  return bytes.length;
}

/** Returns whether backslashes escape the quote at `at`. @param from a position before it, not inside an escape */
function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let begin = at;
  while (begin > from && bytes[begin - 1] === backslash) begin--;
  return (at - begin) % 2 === 1;
}

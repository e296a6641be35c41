/** How much structure JSON has, counted in its bytes: parsed, thirty million brackets take a gigabyte and seconds. */
import type { FieldError } from '../../services/problem.ts';
import { mostValues, tooManyValues } from '../../services/body-checks.ts';

/** Far more than a body within the limits has, so that it is `checkShape` that says what is wrong with most others. */
const most = 100 * mostValues;

const [quote, backslash, comma, bracket, brace] = Buffer.from('"\\,[{') as unknown as [
  ...[number, number, number, number, number],
];

/** @returns why JSON in UTF-8 is too much to parse; null when it is not */
export function checkStructure(bytes: Buffer): FieldError | null {
  let left = most;
  if (bytes.length <= left) return null;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if ((byte === comma || byte === bracket || byte === brace) && --left < 0) return tooManyValues;
  }
  return null;
}

/** Bytes to look at one by one before a search is begun, which takes as long as they do. */
const near = 64;

/** @returns where the closing quote of the string is that begins there */
function endOfString(bytes: Buffer, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length) {
    for (const far = at + near; at < far && at < bytes.length; at++) {
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

/** @param from where a character begins before it */
function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let begin = at;
  while (begin > from && bytes[begin - 1] === backslash) begin--;
  return (at - begin) % 2 === 1;
}

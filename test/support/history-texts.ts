/** What a history says, to be searched. */

/** Every string and every payload, readable. */
export function* textsOf(value: unknown): Generator<string> {
  if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8');
  else if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsOf(part);
}

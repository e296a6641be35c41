/** Extracts the texts of a workflow's history, so that tests can search them. */

/** Yields every string, and every payload decoded as UTF-8. */
export function* textsOf(value: unknown): Generator<string> {
  if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8');
  else if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsOf(part);
}

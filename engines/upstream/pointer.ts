/** Finds values in a provider's output by a JSON pointer in which `*` stands for every item of a list. */

/** @param pointer such as `/images/*` */
export const find = (value: unknown, pointer: string): unknown[] => walk(value, partsOf(pointer));

/** Returns whether a value on the path of the pointer is null or an empty list: the output has the field, without a value. */
export function isEmptyAt(value: unknown, pointer: string): boolean {
  const parts = partsOf(pointer);
  return [...parts, ''].some((_, length) =>
    walk(value, parts.slice(0, length)).some((found) => found === null || (Array.isArray(found) && found.length === 0)),
  );
}

const walk = (value: unknown, parts: readonly string[]): unknown[] =>
  parts.reduce<unknown[]>((found, part) => found.flatMap((inner) => step(inner, part)), [value]);

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function step(value: unknown, part: string): unknown[] {
  if (part === '*') return Array.isArray(value) ? value : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return [];
  return [(value as Record<string, unknown>)[part]];
}

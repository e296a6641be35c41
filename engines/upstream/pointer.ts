/** Finds values in a provider's output by a JSON pointer in which `*` stands for every item of a list. */

/** @param pointer such as `/images/*` */
export function find(value: unknown, pointer: string): unknown[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown[]>((found, part) => found.flatMap((inner) => step(inner, part)), [value]);
}

function step(value: unknown, part: string): unknown[] {
  if (part === '*') return Array.isArray(value) ? value : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return [];
  return [(value as Record<string, unknown>)[part]];
}

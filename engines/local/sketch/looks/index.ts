/** Lists every look by family and style. A new style needs a line in `schemas/families` and one in a table of looks. */
import { ink } from './ink.ts';
import { light, quantumHouse } from './light.ts';
import type { Look, Looks } from './look.ts';
import { paint, selenaHouse } from './paint.ts';
import { hamiltonHouse, prints } from './prints.ts';
import { shapes } from './shapes.ts';

/** The look of each family for a request without a style. */
export const houses: Looks = { selena: selenaHouse, quantum: quantumHouse, hamilton: hamiltonHouse };

export const looks: Looks = { ...ink, ...light, ...paint, ...prints, ...shapes };

/** Returns the look of a style, or the look of the family if the style is null or has no look. */
export function lookOf(family: string, style: string | null): Look {
  return looks[style ?? ''] ?? houses[family] ?? selenaHouse;
}

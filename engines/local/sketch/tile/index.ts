/** The seamless styles, by id. */
import { flow } from './flow.ts';
import { pattern } from './pattern.ts';
import { weave } from './weave.ts';
import type { Tile } from './wrap.ts';

export const tiles: Readonly<Record<string, Tile>> = {
  'infiny-weave': weave,
  'infiny-pattern': pattern,
  'infiny-flow': flow,
};

/** Returns the painter of a seamless picture, or null for an ordinary one. */
export function seamlessOf(style: string | null, seamless: boolean): Tile | null {
  const tile = style === null ? undefined : tiles[style];
  return tile ?? (seamless ? pattern : null);
}

/** The seamless styles, by id. */
import { flow } from './flow.ts';
import { pattern } from './pattern.ts';
import type { Tile } from './tile.ts';
import { weave } from './weave.ts';

export const tiles: Readonly<Record<string, Tile>> = {
  'infiny-weave': weave,
  'infiny-pattern': pattern,
  'infiny-flow': flow,
};

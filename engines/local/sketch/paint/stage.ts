/** The stage of a landscape: where its horizon, water and ground lie. Painters work on it from back to front. */
import type { Canvas } from '../canvas.ts';
import type { Colour } from '../colour.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import type { Light } from './light.ts';

export type Ground =
  'grass' | 'flowers' | 'snow' | 'sand' | 'rock' | 'street' | 'forest' | 'wood' | 'moon' | 'seabed' | 'none';

export interface Stage {
  readonly canvas: Canvas;
  readonly brief: Brief;
  readonly light: Light;
  readonly random: Random;
  /** Rows. */
  readonly horizon: number;
  readonly waterTop: number | null;
  readonly groundTop: number;
  readonly ground: Ground;
  /** Where the sun or moon stands. */
  readonly lamp: { readonly x: number; readonly y: number; readonly radius: number; readonly visible: boolean };
  /** −1 when light comes from the left, 1 from the right. */
  readonly side: number;
}

export function lit(colour: Colour, light: Light): Colour {
  return [colour[0] * light.tint[0], colour[1] * light.tint[1], colour[2] * light.tint[2]];
}

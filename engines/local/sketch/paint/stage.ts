/** The stage of a landscape: where its horizon, water and ground lie. Painters work on it from back to front. */
import type { Canvas } from '../canvas.ts';
import { times, type Colour } from '../colour.ts';
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
  return times(colour, light.tint);
}

/** How far the edge of a landscape's ground rolls, as a part of the height. */
export const rolling = 0.035;

/** Returns the first row that water or ground is sure to cover: layers behind them end there. */
export function hiddenFrom({ canvas, waterTop, groundTop, ground }: Stage): number {
  if (waterTop !== null) return Math.min(canvas.height, Math.ceil(waterTop) + 2);
  if (ground === 'none') return canvas.height;
  return Math.min(canvas.height, Math.ceil(groundTop + rolling * canvas.height) + 2);
}

/** Gives a finished picture the colours, light and texture of an encoded style. */
import type { EncodedStyle } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { enlarged } from './enlarged.ts';
import { type Handling, handlingFor } from './handling.ts';
import { marksOn } from './marks.ts';
import { outlinesOf } from './outlines.ts';
import { reduced } from '../pixels/reduced.ts';
import { smoothed } from './smooth.ts';
import { rasterOf, surfaceOf } from './surface.ts';
import { tableOf } from './table.ts';
import { viewSize } from './view.ts';
import { worked } from './worked.ts';

/** Larger pictures are dressed at this size, in pixels, and then get their own fine detail back. */
const largest = 2048;

/** @param options.amount 0 changes nothing, 1 keeps only the picture's forms */
export function dress(raster: Raster, dna: EncodedStyle, options: { amount: number; seed: number }): Raster {
  if (options.amount <= 0) return raster;
  const handling = handlingFor(reduced(raster, viewSize), dna.measure, options);
  const small = reduced(raster, largest);
  const dressed = dressedAs(small, handling, options);
  return small === raster ? dressed : enlarged(dressed, small, raster);
}

function dressedAs(raster: Raster, handling: Handling, { amount, seed }: { amount: number; seed: number }): Raster {
  const surface = surfaceOf(raster);
  const calm = smoothed(surface, handling.calm * amount);
  const marks = marksOn(calm, handling.tool, seed);
  const { grain, line } = handling;
  const work = worked(calm, marks, outlinesOf(calm, line > 0 ? 1 : -1), { grain: grain * amount, line: line * amount });
  return rasterOf(work, tableOf(handling.recolour, amount), raster);
}

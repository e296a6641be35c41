/** Measures haze, which makes distant parts pale: the dark channel of He, Sun and Tang. */
import { boxMean } from '../pixels/blur.ts';
import { extreme } from '../pixels/parts.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';

const patch = 4;

/** Returns 0 near black or pure colours and 1 where everything is white. */
export function hazeOf({ width, height, data }: Raster<3>): Plane {
  const dark = plane(width, height);
  for (let i = 0; i < dark.data.length; i++) {
    dark.data[i] = Math.min(data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!) / 255;
  }
  return boxMean(plane(width, height, extreme('least', dark.data, width, height, patch)), patch);
}

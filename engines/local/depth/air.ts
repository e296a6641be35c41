/** How much air lies before each part of an image: haze makes what is far pale (the dark channel of He, Sun and Tang). */
import { boxMean, type Plane, plane } from '../cutout/plane.ts';
import type { Raster } from '../raster.ts';

const patch = 4;

/** 0 where something is black or of a pure colour, 1 where all is white. */
export function hazeOf({ width, height, data }: Raster<3>): Plane {
  const dark = plane(width, height);
  for (let i = 0; i < dark.data.length; i++) {
    dark.data[i] = Math.min(data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!) / 255;
  }
  return boxMean(least(least(dark, 1, width), width, height), patch);
}

/** The least within a patch along rows (step 1) or columns. */
function least({ width, height, data }: Plane, step: number, length: number): Plane {
  const out = plane(width, height);
  for (let i = 0; i < data.length; i++) {
    const at = step === 1 ? i % width : Math.floor(i / width);
    let value = data[i]!;
    for (let k = Math.max(-patch, -at); k <= patch && at + k < length; k++)
      value = Math.min(value, data[i + k * step]!);
    out.data[i] = value;
  }
  return out;
}

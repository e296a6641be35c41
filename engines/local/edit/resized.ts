/** Rasters and float pictures at another size. */
import sharp from 'sharp';
import { taps } from '../cutout/plane.ts';
import type { Raster } from '../raster.ts';

export async function resized<C extends 1 | 3 | 4>(
  raster: Raster<C>,
  width: number,
  height: number,
  kernel: 'nearest' | 'cubic' | 'lanczos3' | 'linear' = 'lanczos3',
): Promise<Raster<C>> {
  if (raster.width === width && raster.height === height) return raster;
  const { width: w, height: h, channels } = raster;
  let image = sharp(raster.data, { raw: { width: w, height: h, channels }, limitInputPixels: false });
  image = image.resize(width, height, { kernel, fit: 'fill' });
  if (channels === 1) image = image.toColourspace('b-w');
  const { data } = await image.raw().toBuffer({ resolveWithObject: true });
  return { width, height, channels, data };
}

/** A picture in floats, interleaved, so that smooth things stay smooth. */
export interface Floats {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Float32Array;
}

/** Rows of a larger copy, one at a time: a whole one in floats would be too much for a large picture. */
export function enlarger({ width, height, channels, data }: Floats, to: { width: number; height: number }) {
  const columns = taps(width, to.width);
  const rows = taps(height, to.height);
  const out = new Float32Array(to.width * channels);
  return (y: number): Float32Array => {
    const upper = rows.first[y]! * width * channels;
    const lower = rows.second[y]! * width * channels;
    const v = rows.weight[y]!;
    for (let x = 0; x < to.width; x++) {
      const left = columns.first[x]! * channels;
      const right = columns.second[x]! * channels;
      const u = columns.weight[x]!;
      for (let k = 0; k < channels; k++) {
        const above = data[upper + left + k]! * (1 - u) + data[upper + right + k]! * u;
        const below = data[lower + left + k]! * (1 - u) + data[lower + right + k]! * u;
        out[x * channels + k] = above * (1 - v) + below * v;
      }
    }
    return out;
  };
}

/** Estimates depth without a network, from ground, sky, haze, focus and the subject, which stands in front. */
import type { EstimateDepth } from '../../contract/index.ts';
import { opaque } from '../pixels/alpha.ts';
import { guided } from '../pixels/guided.ts';
import { enlargedRows, mapped, type Plane } from '../pixels/plane.ts';
import { ramp } from '../pixels/range.ts';
import { reduced } from '../pixels/reduced.ts';
import { decode, type Made, make, type Raster } from '../raster.ts';
import { type Figure, figureOf } from './figure.ts';
import { behind, sceneryDepth } from './scenery.ts';
import { skyOf } from './sky.ts';

/** Longer side at which the cues are computed, in pixels. */
const longest = 320;

export async function estimateDepth({ image, outputFormat }: EstimateDepth): Promise<Made> {
  return make('local/depth-heuristic', await depthOf(await decode(image)), outputFormat);
}

/** Returns 255 for the nearest pixels and 0 for the farthest. Transparent pixels are 0. */
export async function depthOf(image: Raster): Promise<Raster<1>> {
  const small = opaque(reduced(image, longest));
  const sky = skyOf(small);
  const horizon = horizonOf(sky);
  const figure = await figureOf(image, small, horizon);
  const all = sceneryDepth(small, sky, horizon, figure?.small ?? null);
  const scenery = figure ? behind(all, figure.small) : all;
  const stretched = stretching(scenery, figure);
  const depth = guided(mapped(scenery, stretched), small, image, 6, 0.003);
  if (figure) lay(depth, mapped(figure.depth, stretched), figure.mask);
  for (let i = 0; i < depth.data.length; i++) depth.data[i] = (depth.data[i]! * image.data[i * 4 + 3]!) / 255;
  return depth;
}

/** Returns the row where the sky ends, 0–1 from above; 0 without a sky, as in a view from slightly above. */
function horizonOf({ width, height, data }: Plane): number {
  let row = 0;
  while (row < 0.6 * height && data.subarray(row * width, (row + 1) * width).reduce((a, b) => a + b, 0) > 0.4 * width)
    row++;
  return row / height;
}

/** Returns a function that stretches depths, from the 1st to the 99th percentile, to 0–1. */
function stretching(scenery: Plane, figure: Figure | null): (depth: number) => number {
  const seen = scenery.data.map((value, i) => {
    const cover = figure?.small.data[i] ?? 0;
    return value * (1 - cover) + (figure?.depth.data[i] ?? 0) * cover;
  });
  seen.sort();
  const far = seen[Math.floor(seen.length * 0.01)]!;
  const near = Math.max(far + 0.05, seen[Math.floor(seen.length * 0.99)]!);
  return (depth) => ramp(far, near, depth);
}

/** Puts the subject in front of the scenery. */
function lay(depth: Raster<1>, relief: Plane, mask: Raster<1>): void {
  const { width, height, data } = depth;
  const row = enlargedRows({ ...relief, channels: 1 }, depth);
  for (let y = 0, i = 0; y < height; y++) {
    const line = row(y);
    for (let x = 0; x < width; x++, i++) {
      data[i] = Math.round(data[i]! + ((255 * line[x]! - data[i]!) * mask.data[i]!) / 255);
    }
  }
}

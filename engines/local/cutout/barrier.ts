/** Computes the minimum barrier distance (Zhang et al. 2015): the smallest range of colours on a path from a seed. */
import type { Raster } from '../raster.ts';
import { boxMean } from '../pixels/blur.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { fractions, mapped, type Plane, plane } from '../pixels/plane.ts';

/** Scans over the image, down and up in turn. */
const passes = 4;

/** Returns distances in units of L*a*b*, summed over channels. Ignores texture finer than `2 * smooth + 1` pixels. */
export function barrier(image: Raster<3>, seeds: Uint8Array, smooth: number): Plane {
  const out = plane(image.width, image.height);
  for (const channel of labOf(image)) {
    const blurred = boxMean(channel, smooth, 2);
    const swing = swings(blurred, seeds);
    for (let i = 0; i < swing.length; i++) out.data[i]! += swing[i]!;
  }
  return out;
}

/** Scans down and up in turn, and keeps the lowest and the highest value of the best path to each pixel. */
function swings({ width, height, data }: Plane, seeds: Uint8Array): Float32Array {
  const cost = new Float32Array(seeds).map((seed) => (seed ? 0 : 1e9));
  const low = data.slice();
  const high = data.slice();
  const through = (i: number, from: number) => {
    const lowest = Math.min(low[from]!, data[i]!);
    const highest = Math.max(high[from]!, data[i]!);
    if (highest - lowest >= cost[i]!) return;
    cost[i] = highest - lowest;
    low[i] = lowest;
    high[i] = highest;
  };
  for (let pass = 0; pass < passes; pass++) {
    const down = pass % 2 === 0;
    for (let row = 0; row < height; row++) {
      const y = down ? row : height - 1 - row;
      for (let column = 0; column < width; column++) {
        const x = down ? column : width - 1 - column;
        const i = y * width + x;
        if (down ? x > 0 : x < width - 1) through(i, down ? i - 1 : i + 1);
        if (down ? y > 0 : y < height - 1) through(i, down ? i - width : i + width);
      }
    }
  }
  return cost;
}

/** Returns 1 along the image's border. */
export function borderOf(width: number, height: number): Uint8Array {
  const border = new Uint8Array(width * height);
  border.fill(1, 0, width).fill(1, (height - 1) * width);
  for (let y = 0; y < height; y++) border[y * width] = border[(y + 1) * width - 1] = 1;
  return border;
}

/** Converts colours to three planes of CIE L*a*b*, in which distances match what people see. */
function labOf({ width, height, data }: Raster<3>): [Plane, Plane, Plane] {
  const lab = inOpenCv(({ cv, floats }) => {
    const mat = floats(fractions(data), width, height, 3);
    cv.cvtColor(mat, mat, cv.COLOR_RGB2Lab);
    return mat.data32F.slice();
  });
  const channel = (c: number) => mapped(plane(width, height), (_, i) => lab[i * 3 + c]!);
  return [channel(0), channel(1), channel(2)];
}

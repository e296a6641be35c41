/** Computes the minimum barrier distance (Zhang et al. 2015): the smallest range of colours on a path from a seed. */
import { boxBlur } from '../pixels/blur.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { fractions, type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';

/** Scans over the image, down and up in turn. */
const passes = 4;

/** Returns distances in units of L*a*b*, summed over channels. Ignores texture finer than `2 * smooth + 1` pixels. */
export function barrier(image: Raster<3>, seeds: Uint8Array, smooth: number): Plane {
  const { width, height } = image;
  const lab = boxBlur(labOf(image), width, height, smooth, 2, 3);
  const sum = plane(width, height);
  for (let c = 0; c < 3; c++) {
    const channel = lab.filter((_, i) => i % 3 === c);
    swings(channel, width, seeds).forEach((swing, i) => (sum.data[i]! += swing));
  }
  return sum;
}

/** Returns the distances in one channel: keeps the lowest and the highest value of the best path to each pixel. */
function swings(data: Float32Array, width: number, seeds: Uint8Array): Float32Array {
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
    const step = pass % 2 === 0 ? 1 : -1;
    for (let n = 0; n < data.length; n++) {
      const i = step > 0 ? n : data.length - 1 - n;
      if (i % width !== (step > 0 ? 0 : width - 1)) through(i, i - step);
      if (n >= width) through(i, i - step * width);
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

/** Converts colours to CIE L*a*b*, in which distances match what people see. */
function labOf({ width, height, data }: Raster<3>): Float32Array {
  return inOpenCv(({ cv, floats }) => {
    const mat = floats(fractions(data), width, height, 3);
    cv.cvtColor(mat, mat, cv.COLOR_RGB2Lab);
    return mat.data32F.slice();
  });
}

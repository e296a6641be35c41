/** Models the ground as receding upwards, and each object on it, found by segmentation, as near as its foot. */
import { type Plane, plane } from '../pixels/plane.ts';
import { clamp } from '../pixels/range.ts';
import type { Raster } from '../raster.ts';

/** Returns how near the ground is in a row, 0–1; rows are counted 0–1 from above. */
export const nearness = (row: number, horizon: number): number => {
  const below = Math.max(0, (row - horizon) / (1 - horizon));
  const above = Math.min(1, row / Math.max(0.05, horizon));
  return 0.12 * above + 0.88 * below;
};

interface Part {
  left: number;
  right: number;
  top: number;
  bottom: number;
  size: number;
}

/** Returns how near the ground and the objects on it are. @param horizon 0–1 from above */
export function groundDepth(image: Raster<3>, horizon: number): Plane {
  const { width, height } = image;
  const numbers = segments(image);
  const parts = new Map<number, Part>();
  for (let i = 0; i < numbers.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const part = parts.get(numbers[i]!) ?? { left: x, right: x, top: y, bottom: y, size: 0 };
    part.left = Math.min(part.left, x);
    part.right = Math.max(part.right, x);
    part.bottom = y;
    part.size++;
    parts.set(numbers[i]!, part);
  }
  const depth = plane(width, height);
  for (let i = 0; i < numbers.length; i++) {
    const row = Math.floor(i / width);
    const part = parts.get(numbers[i]!)!;
    const lying = nearness(row / (height - 1), horizon);
    const standing = nearness(part.bottom / (height - 1), horizon);
    depth.data[i] = lying + (standing - lying) * uprightness(part, width, height);
  }
  return depth;
}

/** Returns 0–1: ground spans the width or touches the lower edge; a standing object is compact. */
function uprightness({ left, right, top, bottom, size }: Part, width: number, height: number): number {
  const [across, down] = [right - left + 1, bottom - top + 1];
  const compact = size / (across * down);
  const wide = clamp((across / width - 0.35) / 0.3);
  const grounded = bottom >= height - 2 && size > 0.03 * width * height ? 1 : 0;
  return Math.min(1, compact * 1.6) * Math.min(1, (1.4 * down) / across) * (1 - wide) * (1 - grounded);
}

/** Scale of the parts: a larger value gives larger parts. */
const scale = 300;
/** Pixels of the smallest part; a smaller one joins a neighbour. */
const smallest = 30;

/**
 * Splits an image into parts of one colour each: graph-based segmentation (Felzenszwalb and Huttenlocher).
 * @returns the number of each pixel's part; the numbers have gaps
 */
function segments(image: Raster<3>): Int32Array {
  const { width, height } = image;
  const parent = new Int32Array(width * height).map((_, i) => i);
  const size = new Int32Array(width * height).fill(1);
  const bound = new Float32Array(width * height).fill(scale);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  // Steps to the neighbours on the right, below, and below to the right and to the left.
  const steps = [1, width, width + 1, width - 1];
  const pairs = pairsOf(image, steps);
  const join = (joins: (a: number, b: number, weight: number) => boolean) => {
    for (const pair of pairs) {
      const id = pair % (width * height * 4);
      const from = Math.floor(id / 4);
      const [a, b] = [root(from), root(from + steps[id % 4]!)];
      const weight = Math.sqrt(Math.floor(pair / (width * height * 4)));
      if (a === b || !joins(a, b, weight)) continue;
      parent[b] = a;
      size[a]! += size[b]!;
      bound[a] = weight + scale / size[a]!;
    }
  };
  join((a, b, weight) => weight <= bound[a]! && weight <= bound[b]!);
  join((a, b) => size[a]! < smallest || size[b]! < smallest);
  return parent.map((_, i) => root(i));
}

/**
 * Returns the pairs of neighbouring pixels, the most alike first. A pair is one number: the squared distance of the
 * colours × the number of pixels × 4, plus the index of the first pixel × 4, plus the index of the step.
 */
function pairsOf({ width, height, data }: Raster<3>, steps: readonly number[]): Float64Array {
  const pairs: number[] = [];
  for (let i = 0; i < width * height; i++) {
    for (const [k, step] of steps.entries()) {
      const column = (i % width) + [1, 0, 1, -1][k]!;
      if (column < 0 || column === width || i + step >= width * height) continue;
      const [a, b] = [i * 3, (i + step) * 3];
      const square = (c: number) => (data[a + c]! - data[b + c]!) ** 2;
      pairs.push((square(0) + square(1) + square(2)) * width * height * 4 + i * 4 + k);
    }
  }
  return Float64Array.from(pairs).sort();
}

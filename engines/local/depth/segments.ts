/** Splits an image into parts of one colour each: graph-based segmentation (Felzenszwalb and Huttenlocher). */
import type { Raster } from '../raster.ts';

/** Scale of the parts: a larger value gives larger parts. */
const scale = 300;
/** Pixels of the smallest part; a smaller one joins a neighbour. */
const smallest = 30;

/** Returns the number of each pixel's part; the numbers have gaps. */
export function segments(image: Raster<3>): Int32Array {
  const { width, height } = image;
  const parent = new Int32Array(width * height).map((_, i) => i);
  const size = new Int32Array(width * height).fill(1);
  const bound = new Float32Array(width * height).fill(scale);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  const steps = stepsIn(width);
  const pairs = pairsOf(image);
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

/** Steps to the neighbours on the right, below, and below to the right and to the left. */
const stepsIn = (width: number) => [1, width, width + 1, width - 1];

/**
 * Returns the pairs of neighbouring pixels, the most alike first. A pair is one number: four times the first pixel's
 * index plus the index of the step, plus the square of the distance of their colours times the count of all steps.
 */
function pairsOf({ width, height, data }: Raster<3>): Float64Array {
  const steps = stepsIn(width);
  const pairs: number[] = [];
  for (let i = 0; i < width * height; i++) {
    const [isFirst, isLast, isLowest] = [i % width === 0, i % width === width - 1, i + width >= width * height];
    const within = [!isLast, !isLowest, !isLast && !isLowest, !isFirst && !isLowest];
    for (let k = 0; k < 4; k++) {
      if (!within[k]) continue;
      const [a, b] = [i * 3, (i + steps[k]!) * 3];
      const square = (c: number) => (data[a + c]! - data[b + c]!) ** 2;
      pairs.push((square(0) + square(1) + square(2)) * width * height * 4 + i * 4 + k);
    }
  }
  return Float64Array.from(pairs).sort();
}

/** Splits an image into parts of one colour each: graph-based segmentation (Felzenszwalb and Huttenlocher). */
import type { Raster } from '../raster.ts';

/** Scale of the parts: a larger value gives larger parts. */
const readiness = 300;
const smallest = 30;

/** Returns the number of each pixel's part; the numbers have gaps. */
export function segments({ width, height, data }: Raster<3>): Int32Array {
  const parent = Int32Array.from({ length: width * height }, (_, i) => i);
  const size = new Int32Array(width * height).fill(1);
  const bound = new Float32Array(width * height).fill(readiness);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  const join = (a: number, b: number, weight: number) => {
    parent[b] = a;
    size[a]! += size[b]!;
    bound[a] = weight + readiness / size[a]!;
  };
  const edges = sorted(neighbours(width, height), data);
  for (const { a, b, weight } of edges) {
    const [p, q] = [root(a), root(b)];
    if (p !== q && weight <= bound[p]! && weight <= bound[q]!) join(p, q, weight);
  }
  for (const { a, b, weight } of edges) {
    const [p, q] = [root(a), root(b)];
    if (p !== q && (size[p]! < smallest || size[q]! < smallest)) join(p, q, weight);
  }
  return parent.map((_, i) => root(i));
}

function* neighbours(width: number, height: number): Generator<[number, number]> {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (x + 1 < width) yield [i, i + 1];
      if (y + 1 < height) yield [i, i + width];
      if (x + 1 < width && y + 1 < height) yield [i, i + width + 1];
      if (x > 0 && y + 1 < height) yield [i, i + width - 1];
    }
  }
}

function sorted(pairs: Iterable<[number, number]>, data: Uint8Array) {
  const apart = (a: number, b: number, c: number) => data[a * 3 + c]! - data[b * 3 + c]!;
  return Array.from(pairs, ([a, b]) => ({
    a,
    b,
    weight: Math.hypot(apart(a, b, 0), apart(a, b, 1), apart(a, b, 2)),
  })).sort((one, other) => one.weight - other.weight);
}

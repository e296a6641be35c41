/** Splits an image into parts of one colour each: graph-based segmentation (Felzenszwalb and Huttenlocher). */
import type { Raster } from '../raster.ts';

/** Scale of the parts: a larger value gives larger parts. */
const readiness = 300;
const smallest = 30;

/** Returns the number of each pixel's part; the numbers have gaps. */
export function segments({ width, height, data }: Raster<3>): Int32Array {
  const parent = new Int32Array(width * height).map((_, i) => i);
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
  const edges = edgesOf(width, height, data);
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

/** Returns the pairs of neighbouring pixels, the most alike first. */
function edgesOf(width: number, height: number, data: Uint8Array) {
  const edges: { a: number; b: number; weight: number }[] = [];
  const apart = (a: number, b: number, c: number) => (data[a * 3 + c]! - data[b * 3 + c]!) ** 2;
  const pair = (a: number, b: number) => {
    edges.push({ a, b, weight: Math.sqrt(apart(a, b, 0) + apart(a, b, 1) + apart(a, b, 2)) });
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (x + 1 < width) pair(i, i + 1);
      if (y + 1 === height) continue;
      pair(i, i + width);
      if (x + 1 < width) pair(i, i + width + 1);
      if (x > 0) pair(i, i + width - 1);
    }
  }
  return edges.sort((one, other) => one.weight - other.weight);
}

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
  const { from, to, apart } = edgesOf(width, height, data);
  for (let k = 0; k < apart.length; k++) {
    const [p, q] = [root(from[k]!), root(to[k]!)];
    const weight = Math.sqrt(apart[k]!);
    if (p !== q && weight <= bound[p]! && weight <= bound[q]!) join(p, q, weight);
  }
  for (let k = 0; k < apart.length; k++) {
    const [p, q] = [root(from[k]!), root(to[k]!)];
    if (p !== q && (size[p]! < smallest || size[q]! < smallest)) join(p, q, Math.sqrt(apart[k]!));
  }
  return parent.map((_, i) => root(i));
}

/** Pairs of neighbouring pixels, with the square of the distance between their colours. */
interface Edges {
  from: Int32Array;
  to: Int32Array;
  apart: Int32Array;
}

/** Returns the pairs of neighbouring pixels, the most alike first. */
function edgesOf(width: number, height: number, data: Uint8Array): Edges {
  const most = width * height * 4;
  const edges = { from: new Int32Array(most), to: new Int32Array(most), apart: new Int32Array(most) };
  let count = 0;
  const pair = (a: number, b: number) => {
    const red = data[a * 3]! - data[b * 3]!;
    const green = data[a * 3 + 1]! - data[b * 3 + 1]!;
    const blue = data[a * 3 + 2]! - data[b * 3 + 2]!;
    edges.from[count] = a;
    edges.to[count] = b;
    edges.apart[count++] = red * red + green * green + blue * blue;
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
  return sorted(edges, count);
}

/** Sorts by counting: the distances are integers, and pairs of the same distance keep their order. */
function sorted({ from, to, apart }: Edges, count: number): Edges {
  const places = new Int32Array(3 * 255 * 255 + 2);
  for (let k = 0; k < count; k++) places[apart[k]! + 1]!++;
  for (let i = 1; i < places.length; i++) places[i]! += places[i - 1]!;
  const result = { from: new Int32Array(count), to: new Int32Array(count), apart: new Int32Array(count) };
  for (let k = 0; k < count; k++) {
    const place = places[apart[k]!]!++;
    result.from[place] = from[k]!;
    result.to[place] = to[k]!;
    result.apart[place] = apart[k]!;
  }
  return result;
}

/** A map brought to an image's full size along the image's own edges: the fast guided filter of He and Sun. */
import type { Raster } from '../raster.ts';
import { inverse } from './laplacian.ts';
import { boxMean, type Plane, plane, taps } from './plane.ts';
import { clamp } from '../pixels/range.ts';

/**
 * @param small the image at the map's size
 * @param full the image at the size that is wanted
 */
export function guided(map: Plane, small: Raster<3>, full: Raster<3 | 4>, radius: number, flat: number): Raster<1> {
  const lines = linesOf(map, small, radius, flat);
  const { width, height, channels, data } = full;
  const out = new Uint8Array(width * height);
  const columns = taps(map.width, width);
  const rows = taps(map.height, height);
  for (let y = 0; y < height; y++) {
    const upper = rows.first[y]! * map.width;
    const lower = rows.second[y]! * map.width;
    const v = rows.weight[y]!;
    for (let x = 0; x < width; x++) {
      const [left, right, u] = [columns.first[x]!, columns.second[x]!, columns.weight[x]!];
      const [p, q, r, s] = [(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v];
      const [i, j, k, l] = [upper + left, upper + right, lower + left, lower + right];
      const at = (y * width + x) * channels;
      let value = 0;
      for (let c = 0; c < 4; c++) {
        const line = lines[c]!;
        const factor = line[i]! * p + line[j]! * q + line[k]! * r + line[l]! * s;
        value += c < 3 ? (factor * data[at + c]!) / 255 : factor;
      }
      out[y * width + x] = Math.round(255 * clamp(value));
    }
  }
  return { width, height, channels: 1, data: out };
}

/** For each pixel the line from colour to value that fits its surroundings: three factors and an offset. */
function linesOf(map: Plane, { width, height, data }: Raster<3>, radius: number, flat: number): Float32Array[] {
  const size = width * height;
  const mean = (values: (i: number) => number) => {
    const all = new Float32Array(size);
    for (let i = 0; i < size; i++) all[i] = values(i);
    return boxMean(plane(width, height, all), radius).data;
  };
  const colour = (i: number, c: number) => data[i * 3 + c]! / 255;
  const means = [0, 1, 2].map((c) => mean((i) => colour(i, c)));
  const value = mean((i) => map.data[i]!);
  const shared = [0, 1, 2].map((c) => mean((i) => colour(i, c) * map.data[i]!));
  const pairs = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const;
  const products = pairs.map(([c, d]) => mean((i) => colour(i, c) * colour(i, d)));
  const lines = [0, 1, 2, 3].map(() => new Float32Array(size));
  for (let i = 0; i < size; i++) {
    const [r, g, b] = [means[0]![i]!, means[1]![i]!, means[2]![i]!];
    const m = [r, g, b];
    const spread = pairs.map(([c, d], k) => products[k]![i]! - m[c]! * m[d]! + (c === d ? flat : 0));
    const [a0, a1, a2, a3, a4, a5] = inverse(...(spread as [number, number, number, number, number, number]));
    const [x, y, z] = [0, 1, 2].map((c) => shared[c]![i]! - m[c]! * value[i]!);
    const fit = [a0! * x! + a1! * y! + a2! * z!, a1! * x! + a3! * y! + a4! * z!, a2! * x! + a4! * y! + a5! * z!];
    for (let c = 0; c < 3; c++) lines[c]![i] = fit[c]!;
    lines[3]![i] = value[i]! - fit[0]! * r - fit[1]! * g - fit[2]! * b;
  }
  return lines.map((line) => boxMean(plane(width, height, line), radius).data);
}

/** Guided filters (He, Sun and Tang): they smooth or enlarge a map along the edges of an image. */
import type { Raster } from '../raster.ts';
import { enlargedRows, type Plane } from './plane.ts';
import { clamp } from './range.ts';
import { boxBlur } from './blur.ts';

/** A line for each pixel: `slope * guide + offset` fits the map in the pixel's surroundings. */
export interface Lines {
  slope: Float32Array;
  offset: Float32Array;
}

/**
 * Fits a plane to itself: where it varies by less than `strength`, the line is its mean.
 * @param strength a deviation in the unit of the plane
 */
export function linesOf({ width, height, data }: Plane, radius: number, strength: number): Lines {
  const mean = (values: Float32Array) => boxBlur(values, width, height, radius);
  const own = mean(data);
  const squares = mean(data.map((value) => value * value));
  const slope = squares.map((square, i) => {
    const variance = Math.max(0, square - own[i]! ** 2);
    return variance / (variance + strength * strength);
  });
  return { slope: mean(slope), offset: mean(slope.map((value, i) => own[i]! * (1 - value))) };
}

/** Takes away variations that are smaller than `strength` and keeps larger ones. */
export function smoothed(map: Plane, radius: number, strength: number): Float32Array {
  const { slope, offset } = linesOf(map, radius, strength);
  return map.data.map((value, i) => value * slope[i]! + offset[i]!);
}

/**
 * Enlarges a map along the edges of the full image.
 * @param small the image at the map's size
 * @param full the image at the wanted size
 * @param flat the variance of colours, 0–1, that counts as none
 */
export function guided(map: Plane, small: Raster<3>, full: Raster<3 | 4>, radius: number, flat: number): Raster<1> {
  const row = enlargedRows({ ...small, channels: 4, data: colourLines(map, small, radius, flat) }, full);
  const { width, height, channels, data } = full;
  const out = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const line = row(y);
    for (let x = 0; x < width; x++, i++) {
      let value = line[x * 4 + 3]!;
      for (let c = 0; c < 3; c++) value += (line[x * 4 + c]! * data[i * channels + c]!) / 255;
      out[i] = Math.round(255 * clamp(value));
    }
  }
  return { width, height, channels: 1, data: out };
}

const pairs = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 1],
  [1, 2],
  [2, 2],
] as const;

/** Returns three factors and an offset for each pixel, interleaved. */
function colourLines(map: Plane, { width, height, data }: Raster<3>, radius: number, flat: number): Float32Array {
  const size = width * height;
  const mean = (value: (i: number) => number) => {
    const values = new Float32Array(size);
    for (let i = 0; i < size; i++) values[i] = value(i);
    return boxBlur(values, width, height, radius);
  };
  const colour = (i: number, c: number) => data[i * 3 + c]! / 255;
  const means = [0, 1, 2].map((c) => mean((i) => colour(i, c)));
  const value = mean((i) => map.data[i]!);
  const shared = [0, 1, 2].map((c) => mean((i) => colour(i, c) * map.data[i]!));
  const products = pairs.map(([c, d]) => mean((i) => colour(i, c) * colour(i, d)));
  const lines = new Float32Array(size * 4);
  for (let i = 0; i < size; i++) {
    const m = means.map((plane) => plane[i]!);
    const spread = (k: number) => {
      const [c, d] = pairs[k]!;
      return products[k]![i]! - m[c]! * m[d]! + (c === d ? flat : 0);
    };
    const [a0, a1, a2, a3, a4, a5] = inverse(spread(0), spread(1), spread(2), spread(3), spread(4), spread(5));
    const [x, y, z] = shared.map((plane, c) => plane[i]! - m[c]! * value[i]!);
    const fit = [a0! * x! + a1! * y! + a2! * z!, a1! * x! + a3! * y! + a4! * z!, a2! * x! + a4! * y! + a5! * z!];
    for (let c = 0; c < 3; c++) lines[i * 4 + c] = fit[c]!;
    lines[i * 4 + 3] = value[i]! - fit[0]! * m[0]! - fit[1]! * m[1]! - fit[2]! * m[2]!;
  }
  return boxBlur(lines, width, height, radius, 1, 4);
}

/** Inverts a symmetric 3 × 3 matrix, given and returned as its upper triangle. */
export function inverse(a: number, b: number, c: number, d: number, e: number, f: number): number[] {
  const p = d * f - e * e;
  const q = c * e - b * f;
  const r = b * e - c * d;
  const all = a * p + b * q + c * r;
  return [p / all, q / all, r / all, (a * f - c * c) / all, (b * c - a * e) / all, (a * d - b * b) / all];
}

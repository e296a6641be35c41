/** Maps of one number a pixel: resizing, blurring, growing, and their connected parts. */
import { clamp } from '../pixels/range.ts';

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export function plane(width: number, height: number, data = new Float32Array(width * height)): Plane {
  return { width, height, data };
}

/** Bilinear, pixel centres aligned: enough to bring a smooth map to another size. */
export function resized(from: Plane, width: number, height: number): Plane {
  if (from.width === width && from.height === height) return from;
  const to = plane(width, height);
  const columns = taps(from.width, width);
  const rows = taps(from.height, height);
  for (let y = 0; y < height; y++) {
    const upper = rows.first[y]! * from.width;
    const lower = rows.second[y]! * from.width;
    const v = rows.weight[y]!;
    for (let x = 0; x < width; x++) {
      const left = columns.first[x]!;
      const right = columns.second[x]!;
      const u = columns.weight[x]!;
      const above = from.data[upper + left]! * (1 - u) + from.data[upper + right]! * u;
      const below = from.data[lower + left]! * (1 - u) + from.data[lower + right]! * u;
      to.data[y * width + x] = above * (1 - v) + below * v;
    }
  }
  return to;
}

/** Which two samples lie around each of the wanted ones, and how near the second is. */
export function taps(from: number, to: number) {
  const first = new Int32Array(to);
  const second = new Int32Array(to);
  const weight = new Float32Array(to);
  for (let i = 0; i < to; i++) {
    const at = clamp(((i + 0.5) * from) / to - 0.5, 0, from - 1);
    first[i] = Math.floor(at);
    second[i] = Math.min(from - 1, first[i]! + 1);
    weight[i] = at - first[i]!;
  }
  return { first, second, weight };
}

/** Means over squares of `2 * radius + 1` pixels, cut off at the border. */
export function boxMean({ width, height, data }: Plane, radius: number): Plane {
  const across = new Float32Array(data.length);
  for (let y = 0; y < height; y++) slide(data, across, y * width, 1, width, radius);
  const out = plane(width, height);
  for (let x = 0; x < width; x++) slide(across, out.data, x, width, height, radius);
  return out;
}

function slide(from: Float32Array, to: Float32Array, start: number, step: number, count: number, radius: number) {
  let sum = 0;
  let size = 0;
  for (let i = 0; i < Math.min(radius, count); i++, size++) sum += from[start + i * step]!;
  for (let i = 0; i < count; i++) {
    if (i + radius < count) {
      sum += from[start + (i + radius) * step]!;
      size++;
    }
    if (i > radius) {
      sum -= from[start + (i - radius - 1) * step]!;
      size--;
    }
    to[start + i * step] = sum / size;
  }
}

/** Pixels to the nearest pixel that is not 0 in `of`, measured along rows, columns and diagonals. */
export function distanceTo(of: Uint8Array, width: number, height: number): Float32Array {
  const distance = new Float32Array(of.length);
  for (let i = 0; i < of.length; i++) distance[i] = of[i] ? 0 : 1e6;
  const diagonal = Math.SQRT2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      let best = distance[i]!;
      if (x > 0) best = Math.min(best, distance[i - 1]! + 1);
      if (y > 0) best = Math.min(best, distance[i - width]! + 1);
      if (y > 0 && x > 0) best = Math.min(best, distance[i - width - 1]! + diagonal);
      if (y > 0 && x < width - 1) best = Math.min(best, distance[i - width + 1]! + diagonal);
      distance[i] = best;
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      const i = y * width + x;
      let best = distance[i]!;
      if (x < width - 1) best = Math.min(best, distance[i + 1]! + 1);
      if (y < height - 1) best = Math.min(best, distance[i + width]! + 1);
      if (y < height - 1 && x < width - 1) best = Math.min(best, distance[i + width + 1]! + diagonal);
      if (y < height - 1 && x > 0) best = Math.min(best, distance[i + width - 1]! + diagonal);
      distance[i] = best;
    }
  }
  return distance;
}

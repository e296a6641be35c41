/** Maps with one number per pixel, and rows of values with several channels, enlarged one at a time. */
import type { Size } from '../raster.ts';
import { clamp } from './range.ts';

export interface Plane extends Size {
  readonly data: Float32Array;
}

export function plane(width: number, height: number, data: Float32Array = new Float32Array(width * height)): Plane {
  return { width, height, data };
}

/** Returns a plane of the same size with other values. */
export function mapped({ width, height, data }: Plane, value: (own: number, i: number) => number): Plane {
  return plane(width, height, data.map(value));
}

/** Returns bytes of 0–255 as fractions of 0–1. */
export function fractions(bytes: Uint8Array): Float32Array {
  const out = new Float32Array(bytes.length);
  for (let i = 0; i < out.length; i++) out[i] = bytes[i]! / 255;
  return out;
}

/** Returns 1 where the test holds, 0 elsewhere. */
export function where(values: ArrayLike<number>, test: (value: number, i: number) => boolean): Uint8Array {
  const out = new Uint8Array(values.length);
  for (let i = 0; i < out.length; i++) if (test(values[i]!, i)) out[i] = 1;
  return out;
}

/** Values that are interleaved by channel. */
export interface Samples extends Size {
  readonly channels: number;
  readonly data: Float32Array | Uint8Array;
}

/**
 * Enlarges values bilinearly, row by row, because a whole enlarged picture of floats would need too much memory.
 * @returns a function that gives row `y`; the next call overwrites it
 */
export function enlargedRows({ width, height, channels, data }: Samples, to: Size) {
  const columns = Array.from({ length: to.width }, (_, x) => around(x, to.width, width));
  const line = new Float32Array(width * channels);
  const out = new Float32Array(to.width * channels);
  return (y: number): Float32Array => {
    const { first, second, weight } = around(y, to.height, height);
    const [upper, lower] = [first * line.length, second * line.length];
    for (let i = 0; i < line.length; i++) line[i] = data[upper + i]! * (1 - weight) + data[lower + i]! * weight;
    let o = 0;
    for (const { first, second, weight } of columns) {
      for (let c = 0; c < channels; c++, o++)
        out[o] = line[first * channels + c]! * (1 - weight) + line[second * channels + c]! * weight;
    }
    return out;
  };
}

/** Returns the two of `from` samples that are around sample `n` of `to`, and the weight of the second. */
function around(n: number, to: number, from: number) {
  const at = clamp(((n + 0.5) * from) / to - 0.5, 0, from - 1);
  const first = Math.floor(at);
  return { first, second: Math.min(from - 1, first + 1), weight: at - first };
}

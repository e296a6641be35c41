/** Maps with one number per pixel. */
import { clamp } from './range.ts';

export interface Plane {
  readonly width: number;
  readonly height: number;
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
export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Float32Array | Uint8Array;
}

/**
 * Enlarges values bilinearly, row by row, because a whole enlarged picture of floats would need too much memory.
 * @returns a function that gives row `y`; the next call overwrites it
 */
export function enlargedRows({ width, height, channels, data }: Samples, to: { width: number; height: number }) {
  const columns = taps(width, to.width);
  const rows = taps(height, to.height);
  const line = new Float32Array(width * channels);
  const out = new Float32Array(to.width * channels);
  return (y: number): Float32Array => {
    const upper = rows.first[y]! * width * channels;
    const lower = rows.second[y]! * width * channels;
    const v = rows.weight[y]!;
    for (let i = 0; i < line.length; i++) line[i] = data[upper + i]! * (1 - v) + data[lower + i]! * v;
    for (let x = 0, o = 0; x < to.width; x++) {
      const left = columns.first[x]! * channels;
      const right = columns.second[x]! * channels;
      const u = columns.weight[x]!;
      for (let c = 0; c < channels; c++, o++) out[o] = line[left + c]! * (1 - u) + line[right + c]! * u;
    }
    return out;
  };
}

/** Returns for each wanted sample the two samples around it, and the weight of the second. */
function taps(from: number, to: number) {
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

/** Planes of values blurred. */
import { clamp } from '../pixels/range.ts';

/** Looked up once: in loops over pixels it counts. */
const { min, max } = Math;

/** Means over squares, `rounds` times: two are a tent, three nearly a bell. Beyond the edges values go on. */
export function blur(plane: Float32Array, width: number, height: number, radius: number, rounds = 3): Float32Array {
  const [out, between] = [Float32Array.from(plane), new Float32Array(plane.length)];
  for (let round = 0; round < rounds; round++) {
    alongRows(out, between, width, height, radius);
    alongColumns(between, out, width, height, radius);
  }
  return out;
}

function alongRows(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const share = 1 / (2 * radius + 1);
  for (let row = 0; row < height; row++) {
    const first = row * width;
    const last = first + width - 1;
    let sum = 0;
    for (let k = -radius; k <= radius; k++) sum += from[min(last, max(first, first + k))]!;
    for (let at = first; at <= last; at++) {
      to[at] = sum * share;
      const comes = at + radius + 1;
      const goes = at - radius;
      sum += from[comes > last ? last : comes]! - from[goes < first ? first : goes]!;
    }
  }
}

/** All columns at once, row by row, as memory lies. */
function alongColumns(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const share = 1 / (2 * radius + 1);
  const sums = new Float64Array(width);
  for (let k = -radius; k <= radius; k++) {
    const line = min(height - 1, max(0, k)) * width;
    for (let x = 0; x < width; x++) sums[x]! += from[line + x]!;
  }
  for (let row = 0; row < height; row++) {
    const comes = min(height - 1, row + radius + 1) * width;
    const goes = max(0, row - radius) * width;
    const line = row * width;
    for (let x = 0; x < width; x++) {
      to[line + x] = sums[x]! * share;
      sums[x]! += from[comes + x]! - from[goes + x]!;
    }
  }
}

/** By a bell curve of this width, in pixels. For narrow ones; a wide one is cheaper by three `blur`s. */
export function bell(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const radius = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * radius + 1 }, (_, k) =>
    Math.exp(-((k - radius) ** 2) / (2 * sigma * sigma)),
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  const kernel = Float64Array.from(weights, (weight) => weight / sum);
  const [between, out] = [new Float32Array(plane.length), new Float32Array(plane.length)];
  fold(plane, between, height, width, width, 1, kernel);
  fold(between, out, width, height, 1, width, kernel);
  return out;
}

function fold(
  from: Float32Array,
  to: Float32Array,
  count: number,
  length: number,
  toNextLine: number,
  step: number,
  kernel: Float64Array,
): void {
  const radius = kernel.length >> 1;
  for (let line = 0; line < count; line++) {
    const start = line * toNextLine;
    for (let k = 0; k < length; k++) {
      let sum = 0;
      for (let j = -radius; j <= radius; j++) {
        sum += kernel[j + radius]! * from[start + clamp(k + j, 0, length - 1) * step]!;
      }
      to[start + k * step] = sum;
    }
  }
}

/** Value noise on an integer lattice, plain or periodic: at a point, over a picture, or as a texture. */
import { inOpenCv } from '../pixels/opencv.ts';
import { wrap } from '../pixels/range.ts';
import type { Size } from './canvas.ts';

/** Returns the pseudo-random number (0 ≤ n < 1) of a lattice node. */
export function lattice(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** Returns smooth noise of 0–1. It repeats after `px` and `py` lattice steps (integers), or never if they are 0. */
export function noise(x: number, y: number, seed: number, px = 0, py = 0): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const u = fade(x - left);
  const v = fade(y - top);
  const x0 = px > 0 ? wrap(left, px) : left;
  const x1 = px > 0 ? wrap(left + 1, px) : left + 1;
  const y0 = py > 0 ? wrap(top, py) : top;
  const y1 = py > 0 ? wrap(top + 1, py) : top + 1;
  const a = lattice(x0, y0, seed);
  const b = lattice(x1, y0, seed);
  const c = lattice(x0, y1, seed);
  const d = lattice(x1, y1, seed);
  return a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
}

/** Returns fractal noise of 0–1, a sum of octaves. `crests` folds each octave at its middle, which gives ridges. */
export function fbm(x: number, y: number, seed: number, octaves: number, px = 0, py = 0, crests = false): number {
  // Shifts the octaves of noise that does not repeat, so that their lattices do not coincide.
  const [across, down] = px > 0 ? [0, 0] : crests ? [5.2, 1.3] : [17.3, 9.1];
  let sum = 0;
  let amplitude = 1;
  for (let o = 0; o < octaves; o++) {
    const n = noise(x, y, seed + o * 1013, px, py);
    sum += amplitude * (crests ? (1 - Math.abs(n * 2 - 1)) ** 2 : n);
    x = x * 2 + across;
    y = y * 2 + down;
    px *= 2;
    py *= 2;
    amplitude /= 2;
  }
  return sum / (2 - 2 * amplitude);
}

/** Returns fractal noise of 0–1 with sharp crests. */
export function ridged(x: number, y: number, seed: number, octaves: number): number {
  return fbm(x, y, seed, octaves, 0, 0, true);
}

/** Evaluates a function every `step` pixels and interpolates between them, because noise is slow to compute. */
export function field({ width, height }: Size, step: number, value: (x: number, y: number) => number): Float32Array {
  const [columns, rows] = [Math.ceil(width / step) + 1, Math.ceil(height / step) + 1];
  const coarse = new Float32Array(columns * rows);
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) coarse[j * columns + i] = value(i * step, j * step);
  return inOpenCv(({ cv, floats, empty }) => {
    const [size, places, out] = [new cv.Size(width, height), floats([1 / step, 0, 0, 0, 1 / step, 0], 3, 2), empty()];
    const mode = cv.INTER_LINEAR | cv.WARP_INVERSE_MAP;
    cv.warpAffine(floats(coarse, columns, rows), out, places, size, mode, cv.BORDER_REPLICATE);
    return out.data32F.slice();
  });
}

/** Parameters of noise over a picture. */
interface Waves {
  /** Lattice steps per pixel. */
  readonly across: number;
  readonly down: number;
  readonly seed: number;
  readonly octaves: number;
  /** Lattice steps after which the noise repeats. */
  readonly period?: readonly [number, number];
}

/** Returns `fbm(x * across, y * down, …)` of every pixel, evaluated every `step` pixels. */
export function waves(size: Size, step: number, of: Waves): Float32Array {
  const { across, down, seed, octaves, period: [px, py] = [0, 0] } = of;
  return field(size, step, (x, y) => fbm(x * across, y * down, seed, octaves, px, py));
}

/** Returns a periodic texture of 256 × 256 values of 0–1, to look up with `grainAt`. */
export function grainTexture(seed: number, frequency = 32, octaves = 3): Float32Array {
  const [across, period] = [frequency / 256, [frequency, frequency] as const];
  return waves({ width: 256, height: 256 }, 1, { across, down: across, seed, octaves, period });
}

/** Returns the interpolated value of a grain texture at a point. */
export function grainAt(grain: Float32Array, x: number, y: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const u = x - x0;
  const v = y - y0;
  const r0 = (y0 & 255) << 8;
  const r1 = ((y0 + 1) & 255) << 8;
  const a = grain[r0 | (x0 & 255)]!;
  const b = grain[r0 | ((x0 + 1) & 255)]!;
  const c = grain[r1 | (x0 & 255)]!;
  const d = grain[r1 | ((x0 + 1) & 255)]!;
  return a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
}

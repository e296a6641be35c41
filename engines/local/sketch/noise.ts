/** Value noise on an integer lattice, plain or periodic: at one place, over a picture, and as a texture. */
import { wrap } from '../pixels/range.ts';

/** Returns a number of 0–1 for a node of the lattice. */
export function lattice(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** Returns smooth noise of 0–1. With a period (whole lattice steps) it repeats. */
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

/** Folds noise at its middle, so that it has sharp crests. */
function crested(n: number): number {
  const crest = 1 - Math.abs(n * 2 - 1);
  return crest * crest;
}

/** Where each octave of noise that does not repeat begins. */
const offsets = { fbm: [17.3, 9.1], ridged: [5.2, 1.3] } as const;

/** Returns octaves of noise, 0–1. */
export function fbm(
  x: number,
  y: number,
  seed: number,
  octaves: number,
  px = 0,
  py = 0,
  kind: keyof typeof offsets = 'fbm',
): number {
  let sum = 0;
  let amplitude = 1;
  for (let o = 0; o < octaves; o++) {
    const n = noise(x, y, seed + o * 1013, px, py);
    sum += amplitude * (kind === 'fbm' ? n : crested(n));
    x = x * 2 + (px > 0 ? 0 : offsets[kind][0]);
    y = y * 2 + (py > 0 ? 0 : offsets[kind][1]);
    px *= 2;
    py *= 2;
    amplitude /= 2;
  }
  return sum / (2 - 2 * amplitude);
}

/** Returns octaves of noise with sharp crests, 0–1: mountains, marble veins. */
export function ridged(x: number, y: number, seed: number, octaves: number): number {
  return fbm(x, y, seed, octaves, 0, 0, 'ridged');
}

/** Evaluates a function every `step` pixels and interpolates between: noise at a fraction of its cost. */
export function field(
  width: number,
  height: number,
  step: number,
  value: (x: number, y: number) => number,
): Float32Array {
  const [columns, rows] = nodes(width, height, step);
  const coarse = new Float32Array(columns * rows);
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) coarse[j * columns + i] = value(i * step, j * step);
  return enlarged(coarse, width, height, step);
}

function nodes(width: number, height: number, step: number) {
  return step === 1
    ? ([width, height] as const)
    : ([Math.ceil(width / step) + 1, Math.ceil(height / step) + 1] as const);
}

function enlarged(coarse: Float32Array, width: number, height: number, step: number): Float32Array {
  if (step === 1) return coarse;
  const [columns] = nodes(width, height, step);
  const out = new Float32Array(width * height);
  const left = Int32Array.from({ length: width }, (_, x) => x / step);
  const share = Float32Array.from({ length: width }, (_, x) => x / step - left[x]!);
  const line = new Float32Array(columns);
  for (let y = 0, o = 0; y < height; y++) {
    const j = Math.floor(y / step);
    const v = y / step - j;
    for (let i = 0, k = j * columns; i < columns; i++, k++)
      line[i] = coarse[k]! + (coarse[k + columns]! - coarse[k]!) * v;
    for (let x = 0; x < width; x++, o++) {
      const i = left[x]!;
      out[o] = line[i]! + (line[i + 1]! - line[i]!) * share[x]!;
    }
  }
  return out;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Noise whose lattice is parallel to the picture. */
interface Waves {
  /** Lattice steps per pixel. */
  readonly across: number;
  readonly down: number;
  readonly seed: number;
  readonly octaves: number;
  readonly kind?: keyof typeof offsets;
  /** Lattice steps after which the noise repeats. */
  readonly period?: readonly [number, number];
}

/** Returns `fbm(x * across, y * down, …)` of every pixel, worked out every `step` pixels. */
export function waves({ width, height }: Size, step: number, { across, down, seed, octaves, ...rest }: Waves) {
  const { kind = 'fbm', period = [0, 0] } = rest;
  const [columns, rows] = nodes(width, height, step);
  const sum = new Float32Array(columns * rows);
  const whole = 2 - 2 ** (1 - octaves);
  let [dx, dy] = [0, 0];
  for (let o = 0; o < octaves; o++) {
    const scale = 2 ** o;
    const x = places(columns, across * step * scale, dx, period[0] * scale);
    const y = places(rows, down * step * scale, dy, period[1] * scale);
    addOctave(sum, x, y, seed + o * 1013, 1 / scale / whole, kind === 'ridged');
    if (period[0] === 0) dx = dx * 2 + offsets[kind][0];
    if (period[1] === 0) dy = dy * 2 + offsets[kind][1];
  }
  return enlarged(sum, width, height, step);
}

/** The lattice cell of each sample along one side, and the share of the way through it. */
function places(count: number, step: number, offset: number, period: number) {
  const first = Math.floor(offset);
  const cell = new Int32Array(count);
  const share = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const at = i * step + offset - first;
    cell[i] = Math.floor(at);
    share[i] = fade(at - cell[i]!);
  }
  const cells = cell[count - 1]! + 2;
  return { cell, share, cells, node: (k: number) => (period > 0 ? wrap(first + k, period) : first + k) };
}

type Places = ReturnType<typeof places>;

function addOctave(sum: Float32Array, x: Places, y: Places, seed: number, weight: number, crests: boolean): void {
  const upper = new Float32Array(x.cells);
  const lower = new Float32Array(x.cells);
  const line = new Float32Array(x.cells);
  const read = (row: Float32Array, k: number) => {
    for (let i = 0; i < row.length; i++) row[i] = lattice(x.node(i), y.node(k), seed);
  };
  let at = -1;
  for (let j = 0, o = 0; j < y.cell.length; j++) {
    const k = y.cell[j]!;
    if (k === at + 1 && at >= 0) upper.set(lower);
    else if (k !== at) read(upper, k);
    if (k !== at) read(lower, k + 1);
    at = k;
    const v = y.share[j]!;
    for (let i = 0; i < line.length; i++) line[i] = upper[i]! + (lower[i]! - upper[i]!) * v;
    for (let i = 0; i < x.cell.length; i++, o++) {
      const cell = x.cell[i]!;
      const n = line[cell]! + (line[cell + 1]! - line[cell]!) * x.share[i]!;
      sum[o] = sum[o]! + weight * (crests ? crested(n) : n);
    }
  }
}

const grainSide = 256;

/** Returns a small periodic texture of 0–1, to look up with `grainAt`. */
export function grainTexture(seed: number, frequency = 32, octaves = 3): Float32Array {
  const step = frequency / grainSide;
  const period = [frequency, frequency] as const;
  return waves({ width: grainSide, height: grainSide }, 1, { across: step, down: step, seed, octaves, period });
}

/** Looks a grain texture up, smoothly, at any place. */
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

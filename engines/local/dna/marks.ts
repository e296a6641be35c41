/** Makes the marks of a tool as noise around 0: short marks are grain, long marks follow the forms like strokes. */
import { blur } from '../pixels/blur.ts';
import { Random } from '../sketch/random.ts';
import type { Surface } from './surface.ts';
import { clamp } from '../pixels/range.ts';
import { lumaOf } from '../pixels/luma.ts';

export interface Tool {
  /** Width and length of a mark, in pixels of the size at which styles are measured. */
  readonly width: number;
  readonly length: number;
}

const side = 512;
/** Weight of the diagonal in which a right hand draws; only strong forms turn the strokes away from it. */
const leaning = 0.5;

/** Returns white noise that repeats after 512 marks. */
function noiseOf(seed: number): Float32Array {
  const random = new Random(seed);
  return new Float32Array(side * side).map(() => random.next() - 0.5);
}

function at(noise: Float32Array, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const u = x - left;
  const upper = (top & (side - 1)) * side;
  const lower = ((top + 1) & (side - 1)) * side;
  const l = left & (side - 1);
  const r = (left + 1) & (side - 1);
  const above = noise[upper + l]! + (noise[upper + r]! - noise[upper + l]!) * u;
  return above + (noise[lower + l]! + (noise[lower + r]! - noise[lower + l]!) * u - above) * (y - top);
}

/** Returns noise smeared along the forms (line integral convolution), with a standard deviation of 1. */
export function marksOn(surface: Surface, { width: broad, length }: Tool, seed: number): Float32Array {
  const { width, height, unit } = surface;
  const noise = noiseOf(seed);
  const scale = 1 / (broad * unit);
  const steps = Math.max(0, Math.round(length / broad / 3));
  const forms = steps > 0 ? formsOf(surface) : null;
  const stride = steps > 0 ? (length * unit) / (2 * steps) : 0;
  const out = new Float32Array(width * height);
  let square = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = at(noise, x * scale, y * scale);
      if (forms)
        sum += smear(noise, scale, forms, x, y, stride, steps) + smear(noise, scale, forms, x, y, -stride, steps);
      out[y * width + x] = sum;
      square += sum * sum;
    }
  const gain = 1 / Math.sqrt(square / out.length || 1);
  for (let i = 0; i < out.length; i++) out[i]! *= gain;
  return out;
}

/** Sums the noise along the forms from a place, in one direction. */
function smear(noise: Float32Array, scale: number, forms: Forms, x: number, y: number, stride: number, steps: number) {
  const { cos, sin, columns, rows, cell } = forms;
  let sum = 0;
  let dx = stride;
  let dy = 0;
  for (let s = 0; s < steps; s++) {
    const i = clamp(Math.floor(x / cell), 0, columns - 1);
    const j = clamp(Math.floor(y / cell), 0, rows - 1);
    const c = cos[j * columns + i]!;
    const n = sin[j * columns + i]!;
    // A direction has no sign, so the path continues the way it came.
    const step = dx * c + dy * n < 0 ? -Math.abs(stride) : Math.abs(stride);
    dx = c * step;
    dy = n * step;
    x += dx;
    y += dy;
    sum += at(noise, x * scale, y * scale);
  }
  return sum;
}

/** The directions of the forms on a grid. */
interface Forms {
  readonly cos: Float32Array;
  readonly sin: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** Size of a cell of the grid, in pixels. */
  readonly cell: number;
}

/** Computes directions from the smoothed structure tensor, plus the hand's diagonal. */
function formsOf(surface: Surface): Forms {
  const { width, height, unit } = surface;
  const cell = Math.max(2, Math.round(2 * unit));
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const grey = lumaOf(surface.rgb);
  const tensor = new Float32Array(columns * rows * 3);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const p = y * width + x;
      const gx = grey[p + 1]! - grey[p - 1]!;
      const gy = grey[p + width]! - grey[p - width]!;
      const o = (Math.floor(y / cell) * columns + Math.floor(x / cell)) * 3;
      tensor[o]! += gx * gx;
      tensor[o + 1]! += gx * gy;
      tensor[o + 2]! += gy * gy;
    }
  const near = blur(tensor, columns, rows, 3, 5);
  let energy = 0;
  for (let i = 0; i < columns * rows; i++) energy += (tensor[i * 3]! + tensor[i * 3 + 2]!) / (columns * rows);
  const hand = leaning * (energy + 1);
  const [cos, sin] = [new Float32Array(columns * rows), new Float32Array(columns * rows)];
  for (let i = 0; i < cos.length; i++) {
    const [xx, xy, yy] = [near[i * 3]! + hand, near[i * 3 + 1]! + hand, near[i * 3 + 2]! + hand];
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2;
    cos[i] = Math.cos(angle);
    sin[i] = Math.sin(angle);
  }
  return { cos, sin, columns, rows, cell };
}

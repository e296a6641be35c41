/** Draws the marks of a tool along the forms of a picture, and its outlines. */
import { blur } from '../pixels/blur.ts';
import { luma } from '../pixels/luma.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { formsOf } from '../sketch/filters/strokes.ts';
import { grainAt } from '../sketch/noise.ts';
import { Random } from '../sketch/random.ts';
import type { Surface } from './surface.ts';

/** Short marks are grain; long marks follow the forms like strokes. */
export interface Tool {
  /** Width and length of a mark, in pixels of the size at which styles are measured. */
  readonly width: number;
  readonly length: number;
}

/** Weight of the diagonal in which a right-handed person draws; only strong forms override it. */
const leaning = 0.5;

/** Returns noise smeared along the forms (line integral convolution), with a mean of 0 and a standard deviation of 1. */
export function marksOn(surface: Surface, { width: broad, length }: Tool, seed: number): Float32Array {
  const { width, height, unit } = surface;
  const random = new Random(seed);
  const noise = new Float32Array(256 * 256).map(() => random.next() - 0.5);
  const scale = 1 / (broad * unit);
  const steps = Math.max(0, Math.round(length / broad / 3));
  const stride = (length * unit) / (2 * Math.max(1, steps));
  const { offset, cos, sin } = directionsOf(surface);
  const marks = new Float32Array(width * height);
  for (let i = 0; i < marks.length; i++) {
    const [left, top] = [i % width, Math.floor(i / width)];
    let sum = grainAt(noise, left * scale, top * scale);
    for (const way of [stride, -stride]) {
      let x = left;
      let y = top;
      let dx = way;
      let dy = 0;
      for (let s = 0; s < steps; s++) {
        const k = offset(clamp(x, 0, width - 1), clamp(y, 0, height - 1)) / 3;
        // A direction has no sign, so the path continues the way it came.
        const step = dx * cos[k]! + dy * sin[k]! < 0 ? -stride : stride;
        dx = cos[k]! * step;
        dy = sin[k]! * step;
        x += dx;
        y += dy;
        sum += grainAt(noise, x * scale, y * scale);
      }
    }
    marks[i] = sum;
  }
  const deviation = Math.sqrt(marks.reduce((sum, mark) => sum + mark * mark, 0) / marks.length) || 1;
  return marks.map((mark) => mark / deviation);
}

/** Returns the direction of the forms at each offset of a grid, turned towards the hand's diagonal. */
function directionsOf(surface: Surface) {
  const { offset, tensor } = formsOf(surface);
  const cells = new Float32Array(tensor.length / 3);
  const energy = cells.reduce((sum, _, i) => sum + tensor[i * 3]! + tensor[i * 3 + 2]!, 0) / cells.length;
  const hand = leaning * (energy + 1);
  const angles = cells.map((_, i) => {
    const [xx, xy, yy] = [tensor[i * 3]!, tensor[i * 3 + 1]! + hand, tensor[i * 3 + 2]!];
    return 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2;
  });
  return { offset, cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
}

/**
 * Returns outlines of 0–1 from the difference of Gaussians of each channel, so that equally bright colours have one
 * too.
 * @param ink −1 draws dark lines on the darker side, 1 light lines on the brighter side
 */
export function outlinesOf({ width, height, rgb, unit }: Surface, ink: 1 | -1): Float32Array {
  const fine = blur(rgb, width, height, 3, unit);
  const broad = blur(rgb, width, height, 3, 2.4 * unit);
  const out = new Float32Array(width * height);
  for (let i = 0, p = 0; i < out.length; i++, p += 3) {
    const r = ink * (fine[p]! - broad[p]!);
    const g = ink * (fine[p + 1]! - broad[p + 1]!);
    const b = ink * (fine[p + 2]! - broad[p + 2]!);
    out[i] = smoothstep(3, 18, luma(r, g, b) + 0.5 * Math.max(r, g, b));
  }
  return out;
}

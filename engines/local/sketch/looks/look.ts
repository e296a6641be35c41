/** The type of a look, and the effects that several looks share: paper texture, hatching and steps of tone. */
import { clamp, smoothstep } from '../../pixels/range.ts';
import type { Canvas } from '../canvas.ts';
import { grainAt, grainTexture } from '../noise.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';

/** The inputs of a look besides the canvas. */
export interface LookContext {
  readonly random: Random;
  readonly brief: Brief;
}

/** Repaints the finished picture in one style. */
export type Look = (canvas: Canvas, context: LookContext) => void;

/** Rounds a value of 0–1 down to one of `steps` steps, with a soft transition. */
export function stepped(value: number, steps: number): number {
  const at = value * steps;
  return (Math.floor(at) + smoothstep(0.44, 0.56, at % 1)) / steps;
}

/** Returns a function that gives the brightness of textured paper at a pixel, as a factor around 1. */
export function tooth(canvas: Canvas, seed: number, strength: number, size = 1): (x: number, y: number) => number {
  const coarse = grainTexture(seed, 64, 3);
  const fine = grainTexture(seed + 1, 128, 1);
  const k = 1 / (canvas.unit * size);
  return (x, y) =>
    1 +
    (grainAt(coarse, x * k * 0.9, y * k * 0.9) - 0.5) * strength +
    (grainAt(fine, x * k, y * k) - 0.5) * strength * 0.7;
}

/** One set of parallel lines in a hatching. */
export interface Hatch {
  readonly angle: number;
  /** Pixels from line to line. */
  readonly pitch: number;
  /** Darkness of 0–1 from which lines appear. */
  readonly from: number;
  /** Growth of the lines with darkness, and their maximum width as a share of the pitch. */
  readonly swell: number;
  readonly most?: number;
  /** Factor for `bend`, the shift of the lines in pixels. */
  readonly follow: number;
  readonly opacity?: number;
  /** Whether thin lines also cover light areas. */
  readonly everywhere?: boolean;
}

/** Returns the ink coverage of a hatching whose lines swell with darkness. */
export function hatched(sets: readonly Hatch[]): (x: number, y: number, dark: number, bend: number) => number {
  const turned = sets.map((set) => ({ most: 1, opacity: 1, ...set, c: Math.cos(set.angle), s: Math.sin(set.angle) }));
  return (x, y, dark, bend) => {
    let ink = 0;
    for (const { c, s, pitch, from, swell, most, follow, opacity, everywhere } of turned) {
      if (dark <= from && !everywhere) continue;
      const width = clamp((dark - from) * swell) * most;
      const v = (-x * s + y * c + bend * follow) / pitch;
      const off = Math.abs(v - Math.round(v)) * 2;
      ink = Math.max(ink, smoothstep(width + 1.4 / pitch, width - 1.4 / pitch, off) * opacity);
    }
    return ink;
  };
}

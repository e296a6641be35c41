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

/** Looks by the id of their style or family. */
export type Looks = Readonly<Record<string, Look>>;

/** Rounds a value of 0–1 to the nearest of `steps` steps, with a soft transition. */
export function stepped(value: number, steps: number): number {
  const at = value * steps;
  return (Math.floor(at) + smoothstep(0.44, 0.56, at % 1)) / steps;
}

/** Returns a function that gives the brightness of textured paper at a pixel, as a factor around 1. */
export function tooth(canvas: Canvas, seed: number, strength: number, size = 1): (x: number, y: number) => number {
  const coarse = grainTexture(seed, 64, 3);
  const fine = grainTexture(seed + 1, 128, 1);
  const k = 1 / (canvas.unit * size);
  const grain = (x: number, y: number) => grainAt(coarse, x * 0.9, y * 0.9) - 0.5 + (grainAt(fine, x, y) - 0.5) * 0.7;
  return (x, y) => 1 + grain(x * k, y * k) * strength;
}

/** A set of parallel lines: `from` is the darkness, 0–1, where they appear; `follow` is their share of the bend. */
type Hatch = readonly [angle: number, from: number, swell: number, follow: number];

/**
 * Returns a function that gives the ink coverage at a pixel of a darkness of 0–1; `bend` shifts the lines by pixels.
 * @param pitch pixels from line to line
 * @param sets hatchings whose lines swell with darkness; the first one also covers light areas
 */
export function hatched(pitch: number, sets: readonly Hatch[]) {
  return (x: number, y: number, dark: number, bend: number): number => {
    let ink = 0;
    for (const set of sets) {
      const [angle, from, swell, follow] = set;
      if (dark <= from && set !== sets[0]) continue;
      const width = clamp((dark - from) * swell, 0, 0.9);
      const v = (y * Math.cos(angle) - x * Math.sin(angle) + bend * follow) / pitch;
      ink = Math.max(ink, smoothstep(width + 1.4 / pitch, width - 1.4 / pitch, Math.abs(v - Math.round(v)) * 2));
    }
    return ink;
  };
}

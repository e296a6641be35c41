/** Paper under a picture: its tooth as a multiplier around 1. */
import type { Canvas } from '../canvas.ts';
import { grainAt, grainTexture } from '../noise.ts';

export function tooth(canvas: Canvas, seed: number, strength: number, size = 1): (x: number, y: number) => number {
  const coarse = grainTexture(seed, 64, 3);
  const fine = grainTexture(seed + 1, 128, 1);
  const k = 1 / (canvas.unit * size);
  return (x, y) =>
    1 +
    (grainAt(coarse, x * k * 0.9, y * k * 0.9) - 0.5) * strength +
    (grainAt(fine, x * k, y * k) - 0.5) * strength * 0.7;
}

/** Bloom: bright areas glow beyond their edges. */
import { blur } from '../../pixels/blur.ts';
import { stretched } from '../../pixels/resample.ts';
import type { Canvas } from '../canvas.ts';

/** Adds a blur of the areas brighter than the threshold, at half size, because the difference is not visible. */
export function bloom(canvas: Canvas, sigma: number, threshold: number, strength: number): void {
  const half = { width: canvas.width >> 1, height: canvas.height >> 1 };
  const bright = stretched(canvas.rgb, 3, canvas, half, 'area').map((value) => Math.max(0, value - threshold));
  const spilled = blur(bright, half.width, half.height, 3, Math.max(1, sigma / 2));
  const glow = stretched(spilled, 3, half, canvas);
  for (let p = 0; p < glow.length; p++) canvas.rgb[p]! += glow[p]! * strength;
}

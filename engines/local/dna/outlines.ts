/** Finds the outlines that a hand would draw, where colours change. */
import { smoothstep } from '../pixels/range.ts';
import { blur } from '../pixels/blur.ts';
import type { Surface } from './surface.ts';
import { luma } from '../pixels/luma.ts';

/**
 * Returns 0–1 by the difference of Gaussians in each channel, so that colours of equal brightness have an outline too.
 * @param ink −1 draws dark lines on the darker side, 1 light lines on the brighter side
 */
export function outlinesOf({ width, height, rgb, unit }: Surface, ink: 1 | -1): Float32Array {
  const fine = blur(rgb, width, height, 3, unit);
  const broad = blur(rgb, width, height, 3, 2.4 * unit);
  const out = new Float32Array(width * height);
  for (let i = 0, p = 0; i < out.length; i++, p += 3) {
    const [r, g, b] = [fine[p]! - broad[p]!, fine[p + 1]! - broad[p + 1]!, fine[p + 2]! - broad[p + 2]!];
    out[i] = smoothstep(3, 18, ink * luma(r, g, b) + 0.5 * Math.max(ink * r, ink * g, ink * b));
  }
  return out;
}

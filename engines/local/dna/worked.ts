/** Adds marks and outlines to a picture before it gets the style's colours. */
import { smoothstep } from '../pixels/range.ts';
import type { Surface } from './surface.ts';
import { lumaAt } from '../pixels/luma.ts';

export interface Work {
  /** Standard deviation of the marks, in steps of sRGB. */
  readonly grain: number;
  /** Depth of the outlines, in steps of sRGB; positive ones are light. */
  readonly line: number;
}

/** How much the ground is darkened behind light lines. */
const behind = 0.005;

export function worked(surface: Surface, marks: Float32Array, outlines: Float32Array, { grain, line }: Work): Surface {
  const { rgb } = surface;
  const out = new Float32Array(rgb.length);
  const ground = 1 - behind * Math.max(0, line);
  for (let i = 0; i < marks.length; i++) {
    // In the dark, visible grain is soon too strong.
    const mark = grain * (0.4 + 0.6 * smoothstep(0, 50, lumaAt(rgb, i * 3)));
    const shift = mark * marks[i]! + line * outlines[i]!;
    for (let c = 0; c < 3; c++) out[i * 3 + c] = rgb[i * 3 + c]! * ground + shift;
  }
  return { ...surface, rgb: out };
}

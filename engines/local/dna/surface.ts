/** A picture while a style is applied: smoothing first, then marks and outlines, then the style's colours. */
import { fromOklab, oklab } from '../oklab.ts';
import { cubeOf, lookUp } from '../pixels/cube.ts';
import { lumaAt } from '../pixels/luma.ts';
import { smoothstep, toByte } from '../pixels/range.ts';
import { bled } from '../pixels/reduced.ts';
import type { Raster } from '../raster.ts';
import { kuwahara } from '../sketch/filters/kuwahara.ts';
import { lattice } from '../sketch/noise.ts';
import type { Recolouring } from './recolouring.ts';
import { viewSize } from './texture.ts';

export interface Surface {
  readonly width: number;
  readonly height: number;
  /** sRGB 0–255, interleaved; may overshoot. */
  readonly rgb: Float32Array;
  /** Scale relative to the size at which styles are measured. */
  readonly unit: number;
}

/** Converts a picture to a surface. Transparent pixels get the colours around them, which filters then spread. */
export function surfaceOf(raster: Raster): Surface {
  const { width, height, data } = bled(raster);
  const unit = Math.max(1, Math.max(width, height) / viewSize);
  const rgb = new Float32Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    // Half a step of noise, because a style with more contrast would turn the 8-bit steps of a sky into bands.
    const noise = lattice(i % width, Math.floor(i / width), 31) - 0.5;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = data[i * 4 + c]! + noise;
  }
  return { width, height, rgb, unit };
}

/**
 * Removes fine detail and keeps outlines with Kuwahara's filter.
 * @param radius in pixels of the size at which styles are measured; fractions are mixed in by opacity
 */
export function smoothed(surface: Surface, radius: number): Surface {
  const wanted = radius * surface.unit;
  if (wanted < 0.25) return surface;
  const whole = Math.max(1, Math.round(wanted));
  const calm = { ...surface };
  kuwahara(calm, whole);
  const opacity = Math.min(1, wanted / whole);
  return { ...surface, rgb: surface.rgb.map((value, p) => value + (calm.rgb[p]! - value) * opacity) };
}

/** Strength of marks and outlines, in steps of sRGB. */
export interface Work {
  /** Standard deviation of the marks. */
  readonly grain: number;
  /** Depth of the outlines; positive ones are light. */
  readonly line: number;
}

/** Adds marks and outlines. */
export function worked(surface: Surface, marks: Float32Array, outlines: Float32Array, { grain, line }: Work): Surface {
  const { rgb } = surface;
  const out = new Float32Array(rgb.length);
  // Light lines need a darker ground.
  const ground = 1 - 0.005 * Math.max(0, line);
  for (let i = 0; i < marks.length; i++) {
    // Reduces grain in dark areas, where it looks stronger.
    const mark = grain * (0.4 + 0.6 * smoothstep(0, 50, lumaAt(rgb, i * 3)));
    const shift = mark * marks[i]! + line * outlines[i]!;
    for (let c = 0; c < 3; c++) out[i * 3 + c] = rgb[i * 3 + c]! * ground + shift;
  }
  return { ...surface, rgb: out };
}

/**
 * Recolours and rounds a surface, with a little noise that prevents bands. Keeps the alpha of the picture.
 * @param amount 0 changes nothing, 1 recolours in full
 * @param side nodes along each channel of the table of colours
 */
export function recoloured(
  { width, height, rgb }: Surface,
  recolour: Recolouring,
  { data: old }: Raster,
  amount: number,
  side: number,
): Raster {
  const table = cubeOf((colour) => {
    const from = oklab(colour);
    const to = recolour(from);
    const mixed = (c: 0 | 1 | 2) => from[c] + (to[c] - from[c]) * amount;
    return fromOklab([mixed(0), mixed(1), mixed(2)]);
  }, side);
  const data = new Uint8Array(old);
  const colour = new Float32Array(3);
  for (let i = 0; i < width * height; i++) {
    lookUp(table, rgb, i * 3, colour);
    const noise = lattice(i % width, Math.floor(i / width), 77) - 0.5;
    for (let c = 0; c < 3; c++) data[i * 4 + c] = toByte(colour[c]! + noise);
  }
  return { width, height, channels: 4, data };
}

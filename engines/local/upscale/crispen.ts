/** Makes detail stand out: raises fine, medium and coarse contrast, but not noise, and limits halos. */
import { boxMean } from '../pixels/blur.ts';
import { extreme } from '../pixels/parts.ts';
import { plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { clamp, toByte } from '../pixels/range.ts';
import { lumaOf } from '../pixels/luma.ts';

/** Radii of detail, in grains, and the highest gain for each. */
const bands = [
  { radius: 1, gain: 1.7 },
  { radius: 2, gain: 1 },
  { radius: 6, gain: 0.25 },
] as const;

/** Distance from a pixel up to which `crispen` reads others, in grains. */
export const reach = 2 * bands.reduce((sum, { radius }) => sum + radius, 0);

/** Contrast in levels of 255 that counts as a steep edge, which needs no more. */
const steep = 48;
/** Levels by which a pixel can exceed its surroundings: enough for sparkle, too little for a halo. */
const overshoot = 6;

/**
 * @param grain the size of the finest detail, in pixels
 * @param noise the deviation that counts as noise, in levels of 255
 */
export function crispen(image: Raster<3>, grain: number, detail: number, noise: number): Raster<3> {
  const { data } = image;
  const light = plane(image.width, image.height, lumaOf(data));
  const added = new Float32Array(light.data.length);
  const core = 2 * noise * noise;
  let blurred = light;
  for (const { radius, gain } of bands) {
    const wide = radius * grain;
    const next = boxMean(blurred, wide, 2);
    for (let i = 0; i < added.length; i++) {
      const contrast = blurred.data[i]! - next.data[i]!;
      const square = contrast * contrast;
      added[i]! += (detail * gain * contrast * square) / (square + core) / (1 + Math.abs(contrast) / steep);
    }
    blurred = next;
  }
  const low = extreme('least', light.data, image.width, image.height, grain);
  const high = extreme('greatest', light.data, image.width, image.height, grain);
  const out = new Uint8Array(data.length);
  for (let i = 0, at = 0; i < added.length; i++, at += 3) {
    const before = light.data[i]!;
    const room = overshoot + 0.15 * (high[i]! - low[i]!);
    const change = clamp(before + added[i]!, low[i]! - room, high[i]! + room) - before;
    for (let c = 0; c < 3; c++) out[at + c] = toByte(data[at + c]! + change);
  }
  return { ...image, data: out };
}

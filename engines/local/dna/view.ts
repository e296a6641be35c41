/** The CIE lightness of a reduced picture, on which texture is measured. */
import { linear } from '../oklab.ts';
import type { Raster } from '../raster.ts';

/** Longer side at which grain and outlines are measured, in pixels. */
export const viewSize = 512;

export interface View {
  readonly width: number;
  readonly height: number;
  /** CIE L*, 0–100. Transparent pixels have the mean, because their edge is not an outline. */
  readonly light: Float32Array;
  /** Weight of each pixel, 0–1: its alpha. */
  readonly weight: Float32Array;
}

const linearOf = Float64Array.from({ length: 256 }, (_, v) => linear(v / 255));

/** @param raster at the size of views */
export function viewOf({ width, height, data }: Raster): View {
  const [light, weight] = [new Float32Array(width * height), new Float32Array(width * height)];
  let [sum, total] = [0, 0];
  for (let i = 0, p = 0; i < light.length; i++, p += 4) {
    const y = 0.2126 * linearOf[data[p]!]! + 0.7152 * linearOf[data[p + 1]!]! + 0.0722 * linearOf[data[p + 2]!]!;
    light[i] = y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
    weight[i] = data[p + 3]! / 255;
    sum += light[i]! * weight[i]!;
    total += weight[i]!;
  }
  if (total === 0) weight.fill(1);
  const mean = total > 0 ? sum / total : 100;
  for (let i = 0; i < light.length; i++) if (weight[i]! < 1) light[i] = mean + (light[i]! - mean) * weight[i]!;
  return { width, height, light, weight };
}

/** Measures grain, outlines and the size of strokes as numbers of 0–1, from lightness alone. */
import type { StyleMeasure } from '../../contract/index.ts';
import { linear, luminance } from '../oklab.ts';
import { blur } from '../pixels/blur.ts';
import { ramp } from '../pixels/range.ts';
import type { Raster } from '../raster.ts';
import { lightness } from './colours.ts';

/** Longer side at which textures are measured, in pixels. */
export const viewSize = 512;
/** Grain, in lightness, and share of outlines at which the measure is 1 − 1/e. */
const muchGrain = 6;
const manyEdges = 0.15;
/** Blur of each octave (sigma, in pixels). */
const octaves = [1, 2, 4, 8, 16, 32];

interface View {
  readonly width: number;
  readonly height: number;
  /** CIE L*, 0–100. Transparent pixels have the mean, because their edge is not an outline. */
  readonly light: Float32Array;
  /** Weight of each pixel, 0–1: its alpha. */
  readonly weight: Float32Array;
}

const linearOf = Float64Array.from({ length: 256 }, (_, v) => linear(v / 255));

function viewOf({ width, height, data }: Raster): View {
  const weight = new Float32Array(width * height);
  const light = weight.map((_, i) => {
    const linearAt = (p: number) => linearOf[data[p]!]!;
    // The weight is never 0, so that a fully transparent picture has a mean.
    weight[i] = Math.max(1e-6, data[i * 4 + 3]! / 255);
    return lightness(luminance([linearAt(i * 4), linearAt(i * 4 + 1), linearAt(i * 4 + 2)]));
  });
  const mean = meanOf(weight, light);
  return { width, height, weight, light: light.map((value, i) => mean + (value - mean) * weight[i]!) };
}

/** @param raster at the size at which textures are measured */
export function textureOf(raster: Raster): StyleMeasure['texture'] {
  const view = viewOf(raster);
  return { ...roughnessOf(raster, view), scale: scaleOf(view) };
}

/** Measures grain and edges, which are quick to measure. */
export function roughnessOf(raster: Raster, view = viewOf(raster)): { grain: number; edges: number } {
  const { width, height, light, weight } = view;
  const smooth = blur(light, width, height, 1, 1);
  // A step of lightness of less than 3 between neighbours is no outline, and one of more than 7 is a hard one.
  const outlined = slopes(smooth, width, height).map((slope) => ramp(3, 7, slope));
  // Away from outlines, the finest octave is grain.
  const broad = slopes(blur(light, width, height, 1, 2), width, height);
  const calm = broad.map((slope, i) => weight[i]! * (1 - ramp(1.5, 4, slope)));
  const noisy = light.map((value, i) => Math.abs(value - smooth[i]!));
  return {
    grain: sum(calm) < 0.01 * sum(weight) ? 1 : 1 - Math.exp(-meanOf(calm, noisy) / muchGrain),
    edges: 1 - Math.exp(-meanOf(weight, outlined) / manyEdges),
  };
}

/** Returns the mean octave of structure, weighted by energy and stretched to the range that pictures use. */
function scaleOf({ width, height, light, weight }: View): number {
  let [weighted, total, fine] = [0, 0, light];
  for (const [k, sigma] of octaves.entries()) {
    const broad = blur(light, width, height, 1, sigma);
    const squares = fine.map((value, i) => (value - broad[i]!) ** 2);
    const energy = Math.sqrt(meanOf(weight, squares));
    [weighted, total, fine] = [weighted + energy * k, total + energy, broad];
  }
  return total < 0.01 ? 1 : ramp(0.2, 0.7, weighted / total / (octaves.length - 1));
}

/** Returns the slope of the lightness at each pixel. */
function slopes(light: Float32Array, width: number, height: number): Float32Array {
  return light.map((_, i) => {
    const x = i % width;
    const across = light[x < width - 1 ? i + 1 : i]! - light[x > 0 ? i - 1 : i]!;
    const down = light[i + width < width * height ? i + width : i]! - light[i >= width ? i - width : i]!;
    return Math.sqrt(across * across + down * down) / 2;
  });
}

const sum = (values: Float32Array) => values.reduce((all, value) => all + value, 0);

const meanOf = (weight: Float32Array, values: Float32Array) =>
  values.reduce((all, value, i) => all + value * weight[i]!, 0) / sum(weight);

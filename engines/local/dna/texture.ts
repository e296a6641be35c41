/** Measures grain, outlines and the size of strokes as numbers of 0–1, from lightness alone. */
import type { StyleMeasure } from '../../contract/index.ts';
import { blur } from '../pixels/blur.ts';
import type { View } from './view.ts';
import { ramp } from '../pixels/range.ts';

/** Steps of lightness between neighbours: no outline below `soft`, a hard one above `hard`. */
const soft = 3;
const hard = 7;
/** The grain, in lightness, and the share of outlines that are measured as 0.63. */
const muchGrain = 6;
const manyEdges = 0.15;
const octaves = [1, 2, 4, 8, 16, 32];

export function textureOf(view: View): StyleMeasure['texture'] {
  return { ...roughnessOf(view), scale: scaleOf(view) };
}

/** Measures the part of texture that is quick to measure. */
export function roughnessOf(view: View): { grain: number; edges: number } {
  const { width, height, light } = view;
  const smooth = blur(light, width, height, 1, 1);
  const edges = 1 - Math.exp(-meanOf(view, slopes(smooth, width, height), outlined) / manyEdges);
  return { grain: grainOf(view, smooth, slopes(blur(light, width, height, 1, 2), width, height)), edges };
}

/** Measures the finest octave away from outlines, which are not grain. */
function grainOf({ light, weight }: View, smooth: Float32Array, slope: Float32Array): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < light.length; i++) {
    const calm = weight[i]! * (1 - ramp(1.5, 4, slope[i]!));
    sum += Math.abs(light[i]! - smooth[i]!) * calm;
    total += calm;
  }
  return total < light.length * 0.01 ? 1 : 1 - Math.exp(-sum / total / muchGrain);
}

/** Returns the mean octave of structure, weighted by energy and stretched to the range that pictures use. */
function scaleOf(view: View): number {
  const { width, height, light } = view;
  const levels = [light, ...octaves.map((sigma) => blur(light, width, height, 1, sigma))];
  let [sum, total] = [0, 0];
  for (let k = 0; k + 1 < levels.length; k++) {
    const [fine, broad] = [levels[k]!, levels[k + 1]!];
    const energy = Math.sqrt(
      meanOf(
        view,
        fine.map((l, i) => (l - broad[i]!) ** 2),
      ),
    );
    sum += energy * k;
    total += energy;
  }
  const octave = sum / total / (levels.length - 2);
  return total < 0.01 ? 1 : ramp(0.2, 0.7, octave);
}

function slopes(light: Float32Array, width: number, height: number): Float32Array {
  const out = new Float32Array(light.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const across = light[x < width - 1 ? i + 1 : i]! - light[x > 0 ? i - 1 : i]!;
      const down = light[y < height - 1 ? i + width : i]! - light[y > 0 ? i - width : i]!;
      out[i] = Math.sqrt(across * across + down * down) / 2;
    }
  return out;
}

function meanOf({ weight }: View, values: Float32Array, of = (value: number) => value): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < weight.length; i++) {
    sum += of(values[i]!) * weight[i]!;
    total += weight[i]!;
  }
  return sum / total;
}

const outlined = (slope: number): number => ramp(soft, hard, slope);

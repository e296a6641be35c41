/** Models the colour of a face's skin in its light, and converts colours from one skin tone to another. */
import { inOpenCv } from '../pixels/opencv.ts';
import { clamp } from '../pixels/range.ts';
import type { Raster } from '../raster.ts';
import type { Point3 } from '../vision/mesh.ts';
import { clearances, depths, facing } from './anatomy.ts';
import { toLuma } from './planes.ts';
import { topology } from './topology.ts';

/** Brightness and two differences of colour, as in JPEG, with white at 1. */
type Luma = readonly [y: number, cb: number, cr: number];

/** One sample of the skin: its place on the unrolled face, and its colour. */
interface Sample {
  u: number;
  v: number;
  colour: Luma;
}

/** Skin colour over the face: a quadratic surface on the unrolled face, and its lowest and highest value, by channel. */
export interface Tone {
  surface: readonly (readonly number[])[];
  range: readonly (readonly [low: number, high: number])[];
}

/** Reads the tone of a face's skin where skin is visible. */
export function skinTone(image: Raster, points: readonly Point3[]): Tone {
  const [near, deep, seen] = [clearances(), depths(), facing(points)];
  const skin = points.map((_, k) => near[k]! > 0.03 && deep[k]! > 0.035 && seen[k]! > 0.25);
  const samples = [...samplesOf(image, points, skin)];
  // A face that the image cuts off may have too few samples.
  return fitTone(samples.length >= 24 ? samples : [...samplesOf(image, points, skin.fill(true))]);
}

/** Samples the middle of each triangle between points of skin. */
function* samplesOf(image: Raster, points: readonly Point3[], skin: readonly boolean[]): Generator<Sample> {
  const { triangles, flat } = topology();
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = triangles.slice(t, t + 3);
    if (!corners.every((corner) => skin[corner])) continue;
    const [x, y] = [0, 1].map((k) => corners.reduce((sum, corner) => sum + points[corner]![k]!, 0) / 3);
    const [u, v] = [0, 1].map((k) => corners.reduce((sum, corner) => sum + flat[corner]![k]!, 0) / 3);
    const colour = colourAt(image, Math.floor(x!), Math.floor(y!));
    if (colour) yield { u: u!, v: v!, colour };
  }
}

/** Returns the mean of 3 × 3 pixels, which evens out pores and grain. */
function colourAt({ data, width, height }: Raster, x: number, y: number): Luma | null {
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return null;
  const colour = new Float64Array(3);
  for (let k = 0; k < 9; k++) {
    const at = ((y - 1 + Math.floor(k / 3)) * width + x - 1 + (k % 3)) * 4;
    for (let c = 0; c < 3; c++) colour[c]! += data[at + c]! / (9 * 255);
  }
  toLuma(colour);
  return [colour[0]!, colour[1]!, colour[2]!];
}

/** Row below which a beard may grow; there, a sample counts as skin only if it matches the skin above. */
const beard = 0.6;

/** Returns the terms of the quadratic surface at a place on the unrolled face. */
function terms(u: number, v: number): number[] {
  const [x, y] = [u - 0.5, Math.min(v, beard) - 0.5];
  return [1, x, y, x * x, x * y, y * y];
}

/** Fits a curved surface to all samples. Hair and spots have little weight. */
function fitTone(samples: readonly Sample[]): Tone {
  const inputs = samples.map(({ u, v }) => terms(u, v));
  let weights: number[] = samples.map(({ v }) => (v < beard ? 1 : 0.02));
  let surface: number[][] = [];
  const at = (t: readonly number[]) => surface.map((own) => own.reduce((sum, value, k) => sum + value * t[k]!, 0));
  for (let round = 0; round < 5; round++) {
    surface = surfaceOf(inputs, samples, weights);
    const misses = samples.map(({ colour }, k) => at(inputs[k]!).map((guess, channel) => colour[channel]! - guess));
    const sizes = misses.map((miss) => Math.hypot(...miss));
    const above = sizes.filter((_, k) => samples[k]!.v < beard).sort((a, b) => a - b);
    const usual = Math.max(0.04, 2 * (above[above.length >> 1] ?? 0));
    weights = sizes.map((size) => 1 / (1 + (size / usual) ** 4));
  }
  const range = [0, 1, 2].map((channel): [number, number] => {
    const values = samples
      .filter((_, k) => weights[k]! > 0.3)
      .map(({ colour }) => colour[channel]!)
      .sort((a, b) => a - b);
    return [values[Math.floor(values.length * 0.04)] ?? 0, values[Math.floor(values.length * 0.96)] ?? 1];
  });
  return { surface, range };
}

/** Fits the surface by weighted least squares; returns the factors of the terms for each channel. */
function surfaceOf(inputs: readonly number[][], samples: readonly Sample[], weights: readonly number[]): number[][] {
  const roots = weights.map(Math.sqrt);
  // Rows that pull all factors but the constant towards 0.
  const ridge = [1, 2, 3, 4, 5].map((k) =>
    [0, 1, 2, 3, 4, 5].map((n) => (n === k ? Math.sqrt(1e-3 * inputs.length) : 0)),
  );
  const left = [...inputs.map((input, k) => input.map((value) => value * roots[k]!)), ...ridge];
  const right = [
    ...samples.map(({ colour }, k) => colour.map((value) => value * roots[k]!)),
    ...ridge.map(() => [0, 0, 0]),
  ];
  return inOpenCv(({ cv, floats, empty }) => {
    const factors = empty();
    cv.solve(floats(left.flat(), 6, left.length), floats(right.flat(), 3, right.length), factors, cv.DECOMP_QR);
    return [0, 1, 2].map((channel) => [...factors.data32F.filter((_, n) => n % 3 === channel)]);
  });
}

/** Writes the tone at a place to `out`. The surface does not extrapolate beyond the samples' range. */
export function toneAt({ surface, range }: Tone, u: number, v: number, out: Float64Array): void {
  const at = terms(u, v);
  for (let c = 0; c < 3; c++) {
    const value = surface[c]!.reduce((sum, factor, k) => sum + factor * at[k]!, 0);
    out[c] = clamp(value, range[c]![0], range[c]![1]);
  }
}

/**
 * Converts a colour on skin of one tone to skin of the other. Black and nearly white colours stay, so pupils, whites of
 * eyes and teeth keep theirs; the darker a colour, the less it takes on the other hue.
 */
export function retone(colour: Float64Array, from: ArrayLike<number>, to: ArrayLike<number>): void {
  const [old, fresh] = [clamp(from[0]!, 0.05, 0.92), clamp(to[0]!, 0.05, 0.92)];
  const bright = clamp(colour[0]!);
  const y = fresh < old ? darker(bright, old, fresh) : brighter(bright, old, fresh);
  // Less colourful skin in the other photo means less colour everywhere.
  const vivid = clamp(Math.hypot(to[1]!, to[2]!) / (Math.hypot(from[1]!, from[2]!) + 1e-6), 0.4, 1.2);
  const [was, is] = [Math.min(1, bright / old), Math.min(1, y / fresh)];
  colour[0] = y;
  for (let c = 1; c < 3; c++) colour[c] = is * to[c]! + (colour[c]! - was * from[c]!) * vivid;
}

/** Darkens, but keeps highlights brighter than skin. */
function darker(y: number, old: number, fresh: number): number {
  const shine = Math.max(0, (y - old) / (1 - old));
  return (y * fresh) / old + 0.5 * (1 - fresh / old) * shine ** 3;
}

/** Brightens: 30 % like a lamp, 70 % by lifting shadows, which is gentler; highlights gain less. */
function brighter(bright: number, old: number, fresh: number): number {
  const gain = fresh / old;
  const y = bright > old ? old * (bright / old) ** Math.max(0.5, 1 - (gain - 1)) : bright;
  const lamp = y <= old ? y * gain : 1 - (1 - fresh) * ((1 - y) / (1 - old)) ** ((gain * (1 - old)) / (1 - fresh));
  return 0.3 * lamp + 0.7 * y ** (Math.log(fresh) / Math.log(old));
}

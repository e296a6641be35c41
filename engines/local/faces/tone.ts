/** Models the colour of skin in its light, and converts colours from one skin tone to another. */
import { inOpenCv } from '../pixels/opencv.ts';
import { clamp } from '../pixels/range.ts';

/** Brightness and two differences of colour, as in JPEG, with white at 1. */
export type Luma = readonly [y: number, cb: number, cr: number];

/** One sample of the skin: its place on the unrolled face, and its colour. */
export interface Sight {
  u: number;
  v: number;
  colour: Luma;
}

/** Skin colour over the face: a grid of `cells` × `cells` on the unrolled face. */
export type Tone = readonly Luma[];

const cells = 32;
/** Distance on the unrolled face over which light is similar. */
const reach = 0.07;

/** Row below which a beard may grow; there, a sample counts as skin only if it matches the skin above. */
const beard = 0.6;

/** Returns the terms of the quadratic surface at a place on the unrolled face. */
function terms(u: number, v: number): number[] {
  const [x, y] = [u - 0.5, Math.min(v, beard) - 0.5];
  return [1, x, y, x * x, x * y, y * y];
}

/** Fits a curved surface to all samples, plus local deviations. Hair and spots have little weight. */
export function fitTone(sights: readonly Sight[]): Tone {
  const inputs = sights.map(({ u, v }) => terms(u, v));
  let weights: number[] = sights.map(({ v }) => (v < beard ? 1 : 0.02));
  let surface: number[][] = [];
  const at = (t: readonly number[]) => surface.map((own) => own.reduce((sum, value, k) => sum + value * t[k]!, 0));
  let misses: number[][] = [];
  for (let round = 0; round < 5; round++) {
    surface = surfaceOf(inputs, sights, weights);
    misses = sights.map(({ colour }, k) => at(inputs[k]!).map((guess, channel) => colour[channel]! - guess));
    const sizes = misses.map((miss) => Math.hypot(...miss));
    const above = sizes.filter((_, k) => sights[k]!.v < beard).sort((a, b) => a - b);
    const usual = Math.max(0.04, 2 * (above[above.length >> 1] ?? 0));
    weights = sizes.map((size) => 1 / (1 + (size / usual) ** 4));
  }
  const range = [0, 1, 2].map((channel) => {
    const values = sights
      .filter((_, k) => weights[k]! > 0.3)
      .map(({ colour }) => colour[channel]!)
      .sort((a, b) => a - b);
    return [values[Math.floor(values.length * 0.04)] ?? 0, values[Math.floor(values.length * 0.96)] ?? 1] as const;
  });
  return Array.from({ length: cells * cells }, (_, cell) => {
    const [u, v] = [(cell % cells) / (cells - 1), Math.floor(cell / cells) / (cells - 1)];
    // Without a sample nearby, the surface alone counts.
    const sums = [0, 0, 0, 0.5];
    for (const [k, sight] of sights.entries()) {
      const weight = weights[k]! * Math.exp(-((sight.u - u) ** 2 + (sight.v - v) ** 2) / (2 * reach * reach));
      for (let c = 0; c < 3; c++) sums[c]! += weight * misses[k]![c]!;
      sums[3]! += weight;
    }
    // The surface must not extrapolate beyond the samples' range.
    const bases = at(terms(u, v));
    const bounded = (c: number) => clamp(bases[c]! + sums[c]! / sums[3]!, range[c]![0], range[c]![1]);
    return [bounded(0), bounded(1), bounded(2)];
  });
}

/** Fits the surface by weighted least squares; returns the factors of the terms for each channel. */
function surfaceOf(inputs: readonly number[][], sights: readonly Sight[], weights: readonly number[]): number[][] {
  const roots = weights.map(Math.sqrt);
  // Rows that pull all factors but the constant towards 0.
  const ridge = [1, 2, 3, 4, 5].map((k) =>
    [0, 1, 2, 3, 4, 5].map((n) => (n === k ? Math.sqrt(1e-3 * inputs.length) : 0)),
  );
  const left = [...inputs.map((input, k) => input.map((value) => value * roots[k]!)), ...ridge];
  const right = [
    ...sights.map(({ colour }, k) => colour.map((value) => value * roots[k]!)),
    ...ridge.map(() => [0, 0, 0]),
  ];
  return inOpenCv(({ cv, floats, empty }) => {
    const factors = empty();
    cv.solve(floats(left.flat(), 6, left.length), floats(right.flat(), 3, right.length), factors, cv.DECOMP_QR);
    return [0, 1, 2].map((channel) => [...factors.data32F.filter((_, n) => n % 3 === channel)]);
  });
}

/** Interpolates the tone between grid points into `out`. */
export function toneAt(tone: Tone, u: number, v: number, out: Float64Array): void {
  const [x, y] = [u, v].map((value) => clamp(value, 0, 0.9999) * (cells - 1)) as [number, number];
  const at = Math.floor(y) * cells + Math.floor(x);
  const [fx, fy] = [x % 1, y % 1];
  const [a, b, c, d] = [tone[at]!, tone[at + 1]!, tone[at + cells]!, tone[at + cells + 1]!];
  for (let k = 0; k < 3; k++)
    out[k] = (a[k]! * (1 - fx) + b[k]! * fx) * (1 - fy) + (c[k]! * (1 - fx) + d[k]! * fx) * fy;
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

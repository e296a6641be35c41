/** Computes the curve that gives a picture a style's tones; it only rises, so that forms stay. */
import type { Weighted } from './colours.ts';
import { clamp } from '../pixels/range.ts';

const steps = 256;
/** A swatch is a mean: the lightness of its pixels spreads so far around it. */
const ofSwatch = 0.06;
const ofColour = 0.03;
/** Limits of the slope: a steeper curve breaks skies into bands, a flatter one hides forms. */
const steepest = 2.6;
const flattest = 0.25;

interface Tones {
  /** Share of the area at each step from black to white. */
  readonly bins: Float64Array;
  readonly mean: number;
  readonly deviation: number;
}

function tonesOf(colours: readonly Weighted[], spread: number): Tones {
  const sharp = new Float64Array(steps);
  for (const { lab, weight } of colours) sharp[Math.round(clamp(lab[0]) * (steps - 1))]! += weight;
  const bins = new Float64Array(steps);
  const reach = Math.ceil(spread * 3 * steps);
  for (let k = 0; k < steps; k++) {
    if (sharp[k] === 0) continue;
    let total = 0;
    const [first, last] = [Math.max(0, k - reach), Math.min(steps - 1, k + reach)];
    for (let i = first; i <= last; i++) total += bell((i - k) / steps / spread);
    for (let i = first; i <= last; i++) bins[i]! += (sharp[k]! * bell((i - k) / steps / spread)) / total;
  }
  const sum = bins.reduce((all, n) => all + n, 0);
  let [mean, square] = [0, 0];
  for (let k = 0; k < steps; k++) {
    bins[k]! /= sum;
    mean += (bins[k]! * k) / (steps - 1);
    square += bins[k]! * (k / (steps - 1)) ** 2;
  }
  return { bins, mean, deviation: Math.sqrt(Math.max(1e-6, square - mean * mean)) };
}

/** Returns the new lightness, 0–1, of each step of the picture's lightness. */
export function curveBetween(picture: readonly Weighted[], style: readonly Weighted[]): Float32Array {
  const [from, to] = [tonesOf(picture, ofColour), tonesOf(style, ofSwatch)];
  const gain = clamp(to.deviation / from.deviation, flattest, steepest);
  const curve = new Float32Array(steps);
  let [seen, reached, k] = [0, to.bins[0]!, 0];
  for (let i = 0; i < steps; i++) {
    seen += from.bins[i]!;
    const rank = seen - from.bins[i]! / 2;
    while (k < steps - 1 && reached < rank) reached += to.bins[++k]!;
    const straight = to.mean + (i / (steps - 1) - from.mean) * gain;
    curve[i] = 0.7 * (k / (steps - 1)) + 0.3 * straight;
  }
  return tamed(curve, from, to.mean);
}

/** Limits the slope and keeps the mean. */
function tamed(curve: Float32Array, from: Tones, mean: number): Float32Array {
  const out = new Float32Array(steps);
  let at = curve[0]!;
  let reached = 0;
  for (let i = 0; i < steps; i++) {
    const step = i === 0 ? 0 : curve[i]! - curve[i - 1]!;
    at += clamp(step, flattest / steps, steepest / steps);
    out[i] = at;
    reached += at * from.bins[i]!;
  }
  return out.map((v) => clamp(v + mean - reached));
}

export function along(curve: Float32Array, lightness: number): number {
  const at = clamp(lightness * (steps - 1), 0, steps - 1);
  const i = Math.min(steps - 2, Math.floor(at));
  return curve[i]! + (curve[i + 1]! - curve[i]!) * (at - i);
}

const bell = (n: number): number => Math.exp(-0.5 * n * n);

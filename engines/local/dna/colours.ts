/** Measures the colours of a picture with their shares of its area, and its light and colourfulness (0–1). */
import type { StyleMeasure } from '../../contract/index.ts';
import { fromOklab, linear, luminance, oklab } from '../oklab.ts';
import { clamp } from '../pixels/range.ts';

/** A colour in OKLab. */
export type Lab = readonly [number, number, number];

/** A colour with its share of the area. */
export interface Weighted {
  readonly lab: Lab;
  readonly weight: number;
}

interface Pixels {
  /** sRGB 0–255, `channels` values per pixel. */
  readonly data: Uint8Array | Float32Array;
  readonly channels: 3 | 4;
}

/** Mean chroma in OKLab that counts as fully saturated. */
const fullChroma = 0.25;
/** Range of the mean warmth of pictures, in OKLab. */
export const fullWarmth = 0.2;
/** Number of bins for hues. */
const hues = 24;

/**
 * Groups pixels into cells of sRGB with `bits` bits per channel and returns the mean colour and share of each cell.
 * @param alpha values of 0–255 at every fourth index, which are the weights of the pixels
 */
export function coloursIn({ data, channels }: Pixels, alpha: Uint8Array, bits: number): Weighted[] {
  const side = 1 << bits;
  const sums = new Float64Array(side ** 3 * 4);
  const cell = (v: number) => clamp(Math.floor((v * side) / 256), 0, side - 1);
  let total = 0;
  for (let p = 0, a = 3; a < alpha.length; p += channels, a += 4) {
    const weight = alpha[a]!;
    if (weight === 0) continue;
    const o = ((cell(data[p]!) * side + cell(data[p + 1]!)) * side + cell(data[p + 2]!)) * 4;
    for (let c = 0; c < 3; c++) sums[o + c]! += data[p + c]! * weight;
    sums[o + 3]! += weight;
    total += weight;
  }
  // A fully transparent picture counts as white paper.
  if (total === 0) return [{ lab: [1, 0, 0], weight: 1 }];
  const out: Weighted[] = [];
  for (let o = 0; o < sums.length; o += 4) {
    const weight = sums[o + 3]!;
    const mean = (c: number) => clamp(sums[o + c]! / weight / 255);
    if (weight > 0) out.push({ lab: oklab([mean(0), mean(1), mean(2)]), weight: weight / total });
  }
  return out;
}

/** Returns the mean of a value of weighted colours. */
export function meanOf(colours: readonly Weighted[], value: (lab: Lab) => number): number {
  return colours.reduce((sum, { lab, weight }) => sum + value(lab) * weight, 0);
}

export function lightOf(colours: readonly Weighted[]): StyleMeasure['light'] {
  const tones = colours.map(({ lab, weight }) => ({ light: lightness(luminanceOf(lab)), weight }));
  tones.sort((a, b) => a.light - b.light);
  const quantile = (share: number) => {
    let seen = 0;
    return tones.find(({ weight }) => (seen += weight) >= share)?.light ?? tones.at(-1)?.light ?? 0;
  };
  // Along the axis from blue, which looks cool, to orange, which looks warm.
  const warmth = meanOf(colours, ([, a, b]) => 0.35 * a + 0.94 * b);
  return {
    brightness: clamp(tones.reduce((sum, { light, weight }) => sum + light * weight, 0) / 100),
    contrast: clamp((quantile(0.95) - quantile(0.05)) / 100),
    warmth: clamp(0.5 + warmth / fullWarmth / 2),
  };
}

export function colourOf(colours: readonly Weighted[]): StyleMeasure['colour'] {
  return { saturation: clamp(meanOf(colours, chromaOf) / fullChroma), variety: varietyOf(colours) };
}

/** Returns the entropy of the hues; nearly gray colours do not count. */
function varietyOf(colours: readonly Weighted[]): number {
  const bins = new Float64Array(hues);
  for (const { lab, weight } of colours) {
    const chroma = Math.max(0, chromaOf(lab) - 0.015) * weight;
    const turn = (Math.atan2(lab[2], lab[1]) / (2 * Math.PI) + 1) * hues;
    bins[Math.floor(turn) % hues]! += chroma * (1 - (turn % 1));
    bins[Math.ceil(turn) % hues]! += chroma * (turn % 1);
  }
  const total = bins.reduce((sum, n) => sum + n, 0);
  const entropy = bins.reduce((sum, n) => (n > 0 ? sum - (n / total) * Math.log(n / total) : sum), 0);
  return clamp((entropy / Math.log(hues)) * clamp(total / 0.01));
}

const chromaOf = ([, a, b]: Lab): number => Math.hypot(a, b);

function luminanceOf([l, a, b]: Lab): number {
  const [red, green, blue] = fromOklab([l, a, b]);
  return luminance([linear(red), linear(green), linear(blue)]);
}

/** Returns CIE L*, 0–100, of a luminance of 0–1. */
export function lightness(y: number): number {
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

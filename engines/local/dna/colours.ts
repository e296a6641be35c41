/** The colours of a picture with their shares of its area. */
import { oklab } from '../oklab.ts';
import { clamp } from '../pixels/range.ts';

/** A colour in OKLab with its share of the area. */
export interface Weighted {
  readonly lab: readonly [number, number, number];
  readonly weight: number;
}

interface Pixels {
  /** sRGB 0–255, `channels` values a pixel. */
  readonly data: Uint8Array | Float32Array;
  readonly channels: 3 | 4;
}

/**
 * Returns the mean colours of the cells of sRGB, with `bits` for each channel; the shares add up to 1.
 * @param alpha 0–255 at every fourth place: transparent pixels do not count
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
    sums[o]! += data[p]! * weight;
    sums[o + 1]! += data[p + 1]! * weight;
    sums[o + 2]! += data[p + 2]! * weight;
    sums[o + 3]! += weight;
    total += weight;
  }
  // A fully transparent picture counts as white paper.
  if (total === 0) return [{ lab: [1, 0, 0], weight: 1 }];
  const out: Weighted[] = [];
  for (let o = 0; o < sums.length; o += 4) {
    const weight = sums[o + 3]!;
    if (weight === 0) continue;
    const mean = (c: number) => clamp(sums[o + c]! / weight / 255);
    out.push({ lab: oklab([mean(0), mean(1), mean(2)]), weight: weight / total });
  }
  return out;
}

/** Joins the colours of several pictures with equal weight. */
export function together(pictures: readonly (readonly Weighted[])[]): Weighted[] {
  return pictures.flatMap((colours) => colours.map(({ lab, weight }) => ({ lab, weight: weight / pictures.length })));
}

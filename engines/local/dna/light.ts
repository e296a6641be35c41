/** Measures light and colour as numbers of 0–1. */
import type { StyleMeasure } from '../../contract/index.ts';
import { fromOklab, linear, luminance } from '../oklab.ts';
import type { Weighted } from './colours.ts';
import { clamp } from '../pixels/range.ts';

/** Mean chroma in OKLab that counts as fully saturated. */
const fullChroma = 0.25;
/** The range of warmth of whole pictures, in OKLab. */
export const fullWarmth = 0.2;
const hues = 24;

export function lightOf(colours: readonly Weighted[]): StyleMeasure['light'] {
  const tones = colours.map(({ lab, weight }) => ({ light: lightness(lab), weight }));
  tones.sort((a, b) => a.light - b.light);
  const quantile = (share: number) => {
    let seen = 0;
    return tones.find(({ weight }) => (seen += weight) >= share)?.light ?? tones.at(-1)?.light ?? 0;
  };
  const brightness = tones.reduce((sum, { light, weight }) => sum + light * weight, 0);
  // Along the axis from blue, which looks cool, to orange, which looks warm.
  const warmth = colours.reduce((sum, { lab, weight }) => sum + (0.35 * lab[1] + 0.94 * lab[2]) * weight, 0);
  return {
    brightness: clamp(brightness / 100),
    contrast: clamp((quantile(0.95) - quantile(0.05)) / 100),
    warmth: clamp(0.5 + warmth / fullWarmth / 2),
  };
}

export function colourOf(colours: readonly Weighted[]): StyleMeasure['colour'] {
  const chroma = colours.reduce((sum, { lab, weight }) => sum + chromaOf(lab) * weight, 0);
  return { saturation: clamp(chroma / fullChroma), variety: varietyOf(colours) };
}

/** Returns the entropy of the hues; nearly gray colours do not count. */
function varietyOf(colours: readonly Weighted[]): number {
  const bins = new Float64Array(hues);
  let total = 0;
  for (const { lab, weight } of colours) {
    const c = Math.max(0, chromaOf(lab) - 0.015) * weight;
    const turn = ((Math.atan2(lab[2], lab[1]) / (2 * Math.PI) + 1) % 1) * hues;
    const [low, t] = [Math.floor(turn) % hues, turn % 1];
    bins[low]! += c * (1 - t);
    bins[(low + 1) % hues]! += c * t;
    total += c;
  }
  if (total === 0) return 0;
  const entropy = bins.reduce((sum, n) => (n > 0 ? sum - (n / total) * Math.log(n / total) : sum), 0);
  return clamp((entropy / Math.log(hues)) * clamp(total / 0.01));
}

const chromaOf = (lab: Weighted['lab']): number => Math.hypot(lab[1], lab[2]);

/** Returns CIE L*. */
function lightness([l, a, b]: Weighted['lab']): number {
  const [red, green, blue] = fromOklab([l, a, b]);
  const y = luminance([linear(red), linear(green), linear(blue)]);
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

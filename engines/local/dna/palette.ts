/** Finds the few main colours of pictures by joining similar colours. */
import type { StyleMeasure } from '../../contract/index.ts';
import { fromOklab, oklab } from '../oklab.ts';
import { hex } from '../sketch/colour.ts';
import { type Lab, meanOf, type Weighted } from './colours.ts';

type Swatches = StyleMeasure['palette'];

/** Maximum number of swatches. */
const most = 8;
/** Distance below which two colours look like one. */
const noticeable = 0.05;
/** Share below which a swatch is noise. */
const least = 0.004;

/** Returns the main colours, the most common first. @param colours a few hundred at most: every pair is compared */
export function paletteOf(colours: readonly Weighted[]): Swatches {
  return joined(colours)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ lab, weight }) => ({ colour: codeOf(lab), share: Math.round(weight * 1000) / 1000 }));
}

/** Converts a measured palette to colours. If all shares are 0, all colours have the same weight. */
export function swatchesOf(palette: Swatches): Weighted[] {
  const total = palette.reduce((sum, { share }) => sum + share, 0);
  const weightOf = (share: number) => (total > 0 ? share / total : 1 / palette.length);
  return palette.map(({ colour, share }) => ({ lab: oklab(hex(colour)), weight: weightOf(share) }));
}

function apart(a: Lab, b: Lab): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** Returns the mean of colours, with the sum of their weights. */
function centreOf(colours: readonly Weighted[]): Weighted {
  const weight = colours.reduce((sum, colour) => sum + colour.weight, 0);
  const mean = (c: 0 | 1 | 2) => meanOf(colours, (lab) => lab[c]) / weight;
  return { lab: [mean(0), mean(1), mean(2)], weight };
}

/** Joins pairs of clusters, least important first, until at most `most` are left and all look different. */
function joined(clusters: readonly Weighted[]): Weighted[] {
  const left = [...clusters];
  for (;;) {
    let [one, other, lowest] = [0, 0, Infinity];
    for (const [i, a] of left.entries())
      for (const [j, b] of left.slice(0, i).entries()) {
        const squared = apart(a.lab, b.lab);
        const rare = Math.min(a.weight, b.weight);
        const mustJoin = squared < noticeable ** 2 || rare < least;
        // The square root protects small accents, which characterize a style.
        const cost = squared * Math.sqrt(rare) - (mustJoin ? 10 : 0);
        if (cost < lowest) [one, other, lowest] = [i, j, cost];
      }
    if (lowest === Infinity || (lowest >= 0 && left.length <= most)) return left;
    left[other] = centreOf([left[one]!, left[other]!]);
    left.splice(one, 1);
  }
}

function codeOf([l, a, b]: Lab): string {
  const byte = (v: number) => Math.round(v * 255).toString(16).padStart(2, '0'); // prettier-ignore
  return `#${fromOklab([l, a, b]).map(byte).join('')}`;
}

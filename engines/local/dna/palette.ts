/** Finds the few main colours of pictures: k-means in OKLab, then joins similar colours. */
import { fromOklab, oklab } from '../oklab.ts';
import type { StyleMeasure } from '../../contract/index.ts';
import type { Weighted } from './colours.ts';

type Swatches = StyleMeasure['palette'];

const most = 8;
/** Distance below which two colours look like one. */
const noticeable = 0.05;
/** Share below which a swatch is noise. */
const least = 0.004;

export function paletteOf(colours: readonly Weighted[]): Swatches {
  return join(kMeans(colours, 24, 16))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ lab, weight }) => ({ colour: hexOf(lab), share: Math.round(weight * 1000) / 1000 }));
}

/** Converts a measured palette to colours. If all shares are 0, they count the same. */
export function swatchesOf(palette: Swatches): Weighted[] {
  const total = palette.reduce((sum, { share }) => sum + share, 0);
  return palette.map(({ colour, share }) => {
    const code = Number.parseInt(colour.slice(1), 16);
    const lab = oklab([(code >> 16) / 255, ((code >> 8) & 255) / 255, (code & 255) / 255]);
    return { lab, weight: total > 0 ? share / total : 1 / palette.length };
  });
}

function apart(a: Weighted['lab'], b: Weighted['lab']): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** Runs k-means from colours that are far apart and not rare, without random choices. */
function kMeans(points: readonly Weighted[], count: number, rounds: number): Weighted[] {
  const centres: Weighted['lab'][] = [];
  const far = points.map(() => 1);
  while (centres.length < Math.min(count, points.length)) {
    let best = 0;
    const worth = (i: number) => far[i]! * Math.sqrt(points[i]!.weight);
    for (let i = 1; i < points.length; i++) if (worth(i) > worth(best)) best = i;
    if (centres.length > 0 && far[best]! < 1e-6) break;
    const next = points[best]!.lab;
    centres.push(next);
    for (let i = 0; i < points.length; i++) far[i] = Math.min(far[i]!, apart(points[i]!.lab, next));
  }
  let clusters: Weighted[] = [];
  for (let round = 0; round < rounds; round++) {
    const sums = centres.map(() => [0, 0, 0, 0] as [number, number, number, number]);
    for (const { lab, weight } of points) {
      let nearest = 0;
      for (let k = 1; k < centres.length; k++) if (apart(lab, centres[k]!) < apart(lab, centres[nearest]!)) nearest = k;
      const sum = sums[nearest]!;
      for (let c = 0; c < 3; c++) sum[c]! += lab[c]! * weight;
      sum[3] += weight;
    }
    clusters = sums
      .filter((sum) => sum[3] > 0)
      .map((sum) => ({ lab: [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]], weight: sum[3] }));
    centres.splice(0, centres.length, ...clusters.map(({ lab }) => lab));
  }
  return clusters;
}

/** Joins the least important pairs until few colours are left, all of which look different. */
function join(clusters: readonly Weighted[]): Weighted[] {
  const left = [...clusters];
  while (left.length > 1) {
    let [one, other, cost] = [0, 1, Infinity];
    let alike = false;
    for (let i = 0; i < left.length; i++)
      for (let j = i + 1; j < left.length; j++) {
        const [a, b] = [left[i]!, left[j]!];
        const distance = apart(a.lab, b.lab);
        const rare = Math.min(a.weight, b.weight);
        // The square root protects small accents, which characterize a style.
        const missed = distance * Math.sqrt(rare);
        const same = distance < noticeable ** 2 || rare < least;
        if (same !== alike ? same : missed < cost) [one, other, cost, alike] = [i, j, missed, same];
      }
    if (!alike && left.length <= most) break;
    const [a, b] = [left[one]!, left[other]!];
    const weight = a.weight + b.weight;
    const mean = (c: 0 | 1 | 2) => (a.lab[c] * a.weight + b.lab[c] * b.weight) / weight;
    left[one] = { lab: [mean(0), mean(1), mean(2)], weight };
    left.splice(other, 1);
  }
  return left;
}

function hexOf([l, a, b]: Weighted['lab']): string {
  const byte = (v: number) =>
    Math.round(v * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${fromOklab([l, a, b]).map(byte).join('')}`;
}

/** Splits a photograph into large masses of one colour, ordered from back to front. */
import type { Canvas } from '../sketch/canvas.ts';
import { blur } from '../pixels/blur.ts';
import { kuwahara } from '../sketch/filters/kuwahara.ts';
import { luma, lumaAt } from '../pixels/luma.ts';

const count = 7;
const rounds = 8;

/** Cuts the picture into flat sheets with smooth outlines; sheet 1 is at the back. */
export function layMasses(canvas: Canvas): void {
  const { width, height, unit, plane } = canvas;
  const calm: Canvas = { ...canvas, rgb: canvas.rgb.slice() };
  kuwahara(calm, 4 * unit);
  const means = cluster(calm, count);
  const label = smoothed(calm, means);
  // A mass counts as near if it is low, in the middle, and bright.
  const near = Array.from({ length: count }, () => ({ sum: 0, n: 1e-6 }));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const k = label[i]!;
      const mass = near[k]!;
      mass.sum += y / height - 0.6 * Math.abs((x / width) * 2 - 1);
      mass.n++;
    }
  const order = near
    .map(({ sum, n }, k) => ({ k, at: sum / n + 0.9 * lumaAt(means, k * 3) }))
    .sort((a, b) => a.at - b.at)
    .map(({ k }) => k);
  const rank = order.reduce((ranks, k, place) => ((ranks[k] = place + 1), ranks), new Uint8Array(count));
  for (let i = 0; i < label.length; i++) plane[i] = rank[label[i]!]!;
  flatten(canvas, label);
}

/** Assigns each pixel to the mass of most of its surroundings, because scissors cut no sharp corners. */
function smoothed({ rgb, width, height, unit }: Canvas, means: Float32Array): Uint8Array {
  const label = new Uint8Array(width * height);
  const most = new Float32Array(width * height);
  const member = new Float32Array(width * height);
  for (let i = 0; i < label.length; i++) label[i] = nearest(means, rgb, i * 3);
  const first = label.slice();
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < label.length; i++) member[i] = first[i] === k ? 1 : 0;
    const votes = blur(member, width, height, 1, 5.6 * unit);
    for (let i = 0; i < label.length; i++)
      if (votes[i]! > most[i]!) {
        most[i] = votes[i]!;
        label[i] = k;
      }
  }
  return label;
}

/** Gives each sheet one colour, which may change slowly from place to place. */
function flatten(canvas: Canvas, label: Uint8Array): void {
  const { width, height, unit } = canvas;
  const source = canvas.rgb;
  const out = new Float32Array(source.length);
  const weighted = new Float32Array(width * height * 4);
  for (let k = 0; k < count; k++) {
    weighted.fill(0);
    for (let i = 0; i < label.length; i++)
      if (label[i] === k) {
        for (let c = 0; c < 3; c++) weighted[i * 4 + c] = source[i * 3 + c]!;
        weighted[i * 4 + 3] = 1;
      }
    const mean = blur(weighted, width, height, 4, 36 * unit);
    for (let i = 0; i < label.length; i++)
      if (label[i] === k)
        for (let c = 0; c < 3; c++) out[i * 3 + c] = mean[i * 4 + c]! / Math.max(1e-4, mean[i * 4 + 3]!);
  }
  canvas.rgb = out;
}

/** Returns the index of the mean colour nearest to the pixel at an offset. */
export function nearest(means: Float32Array, rgb: Float32Array, p: number): number {
  let [best, at] = [Infinity, 0];
  for (let k = 0; k * 3 < means.length; k++) {
    const dr = rgb[p]! - means[k * 3]!;
    const dg = rgb[p + 1]! - means[k * 3 + 1]!;
    const db = rgb[p + 2]! - means[k * 3 + 2]!;
    const l = luma(dr, dg, db);
    // Differences of brightness count less than differences of colour: one object has light and shade.
    const d = 0.55 * l * l + (dr - l) ** 2 + (dg - l) ** 2 + (db - l) ** 2;
    if (d < best) [best, at] = [d, k];
  }
  return at;
}

/** Returns mean colours by k-means over a sample of pixels, starting at even steps of brightness. */
export function cluster({ rgb, width, height }: Canvas, count: number): Float32Array {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 12_000)));
  const picks: number[] = [];
  for (let y = step >> 1; y < height; y += step)
    for (let x = step >> 1; x < width; x += step) picks.push((y * width + x) * 3);
  const sorted = [...picks].sort((a, b) => lumaAt(rgb, a) - lumaAt(rgb, b));
  const means = new Float32Array(count * 3);
  for (let k = 0; k < count; k++) {
    const p = sorted[Math.floor(((k + 0.5) * sorted.length) / count)] ?? 0;
    means.set(rgb.subarray(p, p + 3), k * 3);
  }
  for (let round = 0; round < rounds; round++) {
    const sums = new Float64Array(count * 4);
    for (const p of picks) {
      const k = nearest(means, rgb, p);
      for (let c = 0; c < 3; c++) sums[k * 4 + c]! += rgb[p + c]!;
      sums[k * 4 + 3]!++;
    }
    for (let k = 0; k < count; k++) {
      const n = sums[k * 4 + 3]!;
      for (let c = 0; c < 3; c++) if (n > 0) means[k * 3 + c] = sums[k * 4 + c]! / n;
    }
  }
  return means;
}

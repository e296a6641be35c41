/** Blueprint, contour and glitch: the picture as a machine would keep it. */
import { blend, hex, ramp } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { lines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, levelled, saturate } from '../filters/tone.ts';
import { lattice } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';

export const blueprint: Look = (canvas, { random }) => {
  const { width, unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.15 * unit), 1.5);
  const level = levelled(lumaOf(canvas.rgb));
  const paper = tooth(canvas, random.fork(), 0.2, 1.5);
  const minor = Math.max(6, Math.round(20 * unit));
  const [sheet, pale] = [hex('#12468f'), hex('#eaf4ff')];
  each(canvas, (_r, _g, _b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const k = paper(x, y);
    const grid = x % (minor * 5) < 1 || y % (minor * 5) < 1 ? 0.2 : x % minor < 1 || y % minor < 1 ? 0.09 : 0;
    const l = level[i]!;
    const pitch = 7 * unit;
    const hatch = l < 0.42 ? smoothstep(0.72, 0.9, Math.cos(((x + y) / pitch) * Math.PI) ** 2) * (0.42 - l) * 0.9 : 0;
    const cross = l < 0.2 ? smoothstep(0.72, 0.9, Math.cos(((x - y) / pitch) * Math.PI) ** 2) * (0.2 - l) * 1.4 : 0;
    const a = clamp(Math.max(ink[i]! * 0.92 * clamp(1.7 - Math.abs(k - 1) * 6), grid, hatch, cross));
    return blend([sheet[0] * k + l * 0.05, sheet[1] * k + l * 0.08, sheet[2] * k + l * 0.1], pale, a);
  });
};

export const contour: Look = (canvas, { brief }) => {
  const { width, height, unit } = canvas;
  const colour = blur(canvas.rgb, width, height, 3, 2 * unit);
  const level = levelled(blur(lumaOf(canvas.rgb), width, height, 1, 3.2 * unit), 0.01);
  const scheme = brief.palette ?? ['#0d3b4c', '#1f7a76', '#8cbf7c', '#f0d78a', '#e08a56', '#f7efe0'].map(hex);
  const steps = 13;
  each(canvas, (_r, _g, _b, i) => {
    const x = i % width;
    const p = i;
    const at = level[p]! * steps;
    const dx = x + 1 < width ? Math.abs(level[p + 1]! - level[p]!) : 0;
    const dy = p + width < level.length ? Math.abs(level[p + width]! - level[p]!) : 0;
    const slope = Math.max(0.0006, Math.hypot(dx, dy)) * steps;
    const near = Math.min(at % 1, 1 - (at % 1)) / slope;
    const major = Math.round(at) % 4 === 0;
    const line = smoothstep(major ? 1.9 * unit + 0.6 : 1.1 * unit + 0.5, 0.4, near);
    const band = ramp(scheme, (Math.floor(at) + 0.5) / steps);
    const own = [colour[i * 3]!, colour[i * 3 + 1]!, colour[i * 3 + 2]!] as const;
    return blend(blend(band, own, 0.3), [0.06, 0.12, 0.16], line * (major ? 0.85 : 0.5));
  });
};

export const glitch: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 3 * unit);
  saturate(canvas, 1.25, 1.15);
  const seed = random.fork();
  const source = canvas.rgb;
  const out = new Float32Array(source.length);
  const band = Math.max(2, Math.round(9 * unit));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / band);
    const torn = lattice(row, 1, seed);
    const block = lattice(Math.floor(row / 6), 2, seed);
    const shift =
      torn > 0.86
        ? (lattice(row, 3, seed) - 0.5) * width * 0.16
        : block > 0.8
          ? (lattice(Math.floor(row / 6), 4, seed) - 0.5) * width * 0.07
          : 0;
    const split = Math.round((4 + 9 * lattice(Math.floor(row / 3), 5, seed)) * unit);
    for (let x = 0; x < width; x++) {
      const at = (dx: number): number => (y * width + clamp(Math.round(x + shift + dx), 0, width - 1)) * 3;
      const p = (y * width + x) * 3;
      const scan = y % Math.max(2, Math.round(4 * unit)) < unit ? 0.74 : 1;
      out[p] = source[at(split)]! * scan;
      out[p + 1] = source[at(0) + 1]! * scan;
      out[p + 2] = source[at(-split) + 2]! * scan;
      if (torn > 0.965) {
        const l = luma(out[p], out[p + 1]!, out[p + 2]!);
        out[p] = l < 0.5 ? 0.05 : 1;
        out[p + 1] = 1 - l;
        out[p + 2] = 0.85;
      }
    }
  }
  canvas.rgb = out;
};

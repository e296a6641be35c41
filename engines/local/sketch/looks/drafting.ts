/** Blueprint, contour and glitch: the picture as a machine would keep it. */
import { each } from '../canvas.ts';
import { blend, hex, rampTable, times } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { lines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { levelled, saturate } from '../filters/tone.ts';
import { lattice } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';

export const blueprint: Look = (canvas, { random }) => {
  const { unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.15 * unit), 1.5);
  const level = levelled(lumaOf(canvas.rgb));
  const paper = tooth(canvas, random.fork(), 0.2, 1.5);
  const minor = Math.max(6, Math.round(20 * unit));
  const [sheet, pale] = [hex('#12468f'), hex('#eaf4ff')];
  const hatch = (at: number) => smoothstep(0.72, 0.9, Math.cos((at / (7 * unit)) * Math.PI) ** 2);
  each(canvas, (_r, _g, _b, x, y, i) => {
    const [k, l] = [paper(x, y), level[i]!];
    const onGrid = (size: number) => x % size < 1 || y % size < 1;
    const grid = onGrid(minor * 5) ? 0.2 : onGrid(minor) ? 0.09 : 0;
    const half = l < 0.42 ? hatch(x + y) * (0.42 - l) * 0.9 : 0;
    const cross = l < 0.2 ? hatch(x - y) * (0.2 - l) * 1.4 : 0;
    const line = ink[i]! * 0.92 * clamp(1.7 - Math.abs(k - 1) * 6);
    const [r, g, b] = times(sheet, k);
    return blend([r + l * 0.05, g + l * 0.08, b + l * 0.1], pale, clamp(Math.max(line, grid, half, cross)));
  });
};

export const contour: Look = (canvas, { brief }) => {
  const { width, height, unit } = canvas;
  const level = levelled(blur(lumaOf(canvas.rgb), width, height, 1, 3.2 * unit), 0.01);
  canvas.rgb = blur(canvas.rgb, width, height, 3, 2 * unit);
  const steps = 13;
  const bands = rampTable(brief.palette ?? ['#0d3b4c', '#1f7a76', '#8cbf7c', '#f0d78a', '#e08a56', '#f7efe0'].map(hex));
  each(canvas, (r, g, b, x, y, i) => {
    const at = level[i]! * steps;
    const dx = x + 1 < width ? level[i + 1]! - level[i]! : 0;
    const dy = y + 1 < height ? level[i + width]! - level[i]! : 0;
    const slope = Math.max(0.0006, Math.sqrt(dx * dx + dy * dy)) * steps;
    const near = Math.min(at % 1, 1 - (at % 1)) / slope;
    const major = Math.round(at) % 4 === 0;
    const line = smoothstep(major ? 1.9 * unit + 0.6 : 1.1 * unit + 0.5, 0.4, near);
    const band = blend(bands((Math.floor(at) + 0.5) / steps), [r, g, b], 0.3);
    return blend(band, [0.06, 0.12, 0.16], line * (major ? 0.85 : 0.5));
  });
};

export const glitch: Look = (canvas, { random }) => {
  const { width, unit } = canvas;
  kuwahara(canvas, 3 * unit);
  saturate(canvas, 1.25, 1.15);
  const seed = random.fork();
  const source = canvas.rgb.slice();
  const band = Math.max(2, Math.round(9 * unit));
  const pitch = Math.max(2, Math.round(4 * unit));
  const shiftOf = (row: number) => {
    if (lattice(row, 1, seed) > 0.86) return (lattice(row, 3, seed) - 0.5) * width * 0.16;
    const block = Math.floor(row / 6);
    return lattice(block, 2, seed) > 0.8 ? (lattice(block, 4, seed) - 0.5) * width * 0.07 : 0;
  };
  each(canvas, (_r, _g, _b, x, y) => {
    const row = Math.floor(y / band);
    const shift = shiftOf(row);
    const split = Math.round((4 + 9 * lattice(Math.floor(row / 3), 5, seed)) * unit);
    const scan = y % pitch < unit ? 0.74 : 1;
    const channel = (c: number, dx: number) =>
      source[(y * width + clamp(Math.round(x + shift + dx), 0, width - 1)) * 3 + c]! * scan;
    const [r, g, b] = [channel(0, split), channel(1, 0), channel(2, -split)];
    if (lattice(row, 1, seed) <= 0.965) return [r, g, b];
    const l = luma(r, g, b);
    return [l < 0.5 ? 0.05 : 1, 1 - l, 0.85];
  });
};

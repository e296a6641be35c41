/** Pencil, ink wash, noir: one dark medium on paper. */
import { blend, type Colour } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { lines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, levelled, vignette } from '../filters/tone.ts';
import { fbm, field, grainAt, grainTexture, lattice } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';

export const pencil: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.1 * unit), 1.7);
  const level = levelled(blur(lumaOf(canvas.rgb), width, height, 1, 1.5 * unit));
  const seed = random.fork();
  const grain = grainTexture(seed, 128, 2);
  const streak = (x: number, y: number, angle: number, lane: number): number => {
    const u = (x * Math.cos(angle) + y * Math.sin(angle)) / unit;
    const v = (-x * Math.sin(angle) + y * Math.cos(angle)) / unit;
    return grainAt(grain, u * 0.045 + lane, v * 0.62 + lane * 3);
  };
  each(canvas, (_r, _g, _b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const dark = 1 - level[i]!;
    const g = grainAt(grain, x / unit, y / unit);
    let a = smoothstep(0.62 - dark * 0.62, 0.95 - dark * 0.5, streak(x, y, -0.95, 0) + 0.1) * dark * 0.95;
    if (dark > 0.45) a += smoothstep(0.4, 0.7, streak(x, y, -0.45, 50)) * (dark - 0.45) * 0.9;
    if (dark > 0.7) a += smoothstep(0.35, 0.65, streak(x, y, 0.5, 90)) * (dark - 0.7) * 1.1;
    a = clamp((a + ink[i]! * 0.62) * (0.55 + g * 0.85), 0, 0.93);
    const sheet = 0.965 + (g - 0.5) * 0.05;
    return blend([sheet, sheet * 0.99, sheet * 0.965], [0.17, 0.175, 0.19], a);
  });
};

export const inkWash: Look = (canvas, { random, brief }) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  kuwahara(canvas, 7 * unit);
  const ink = lines(canvas, Math.max(1.2, 2.2 * unit), 0.9);
  const level = levelled(lumaOf(canvas.rgb), 0.03);
  const bleed = blur(level, width, height, 1, 9 * unit);
  const wash = field(width, height, 5, (x, y) => fbm((x / unit) * 0.008, (y / unit) * 0.008, seed, 4));
  const dry = grainTexture(seed + 5, 64, 3);
  const paper = tooth(canvas, seed + 8, 0.09, 1.4);
  const seal = brief.palette !== null;
  each(canvas, (r, g, b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const w = wash[i]!;
    const tone = clamp(level[i]! * 0.45 + bleed[i]! * 0.55 + (w - 0.5) * 0.35);
    const mist = smoothstep(0.44, 0.68, w);
    const step =
      0.55 * smoothstep(0.72, 0.6, tone) * 0.35 +
      smoothstep(0.52, 0.42, tone) * 0.26 +
      smoothstep(0.3, 0.18, tone) * 0.4;
    const brush = ink[i]! * clamp(0.35 + grainAt(dry, (x / unit) * 0.35, (y / unit) * 1.4) * 1.1) * (1 - mist * 0.4);
    const a = clamp(step * (1 - mist * 0.45) + brush * 0.75);
    const k = paper(x, y);
    const l = luma(r, g, b);
    // Strong reds and the like survive as a touch of colour, as a seal does.
    const strong =
      smoothstep(0.22, 0.5, Math.max(r, g, b) - Math.min(r, g, b)) * (seal || canvas.plane[i]! >= 16 ? 0.6 : 0.12);
    const sheet: Colour = [0.95 * k, 0.935 * k, 0.89 * k];
    const inked = blend(sheet, [0.085, 0.09, 0.11], a);
    return blend(
      inked,
      [
        inked[0] * clamp(0.4 + r / (l + 0.2)),
        inked[1] * clamp(0.4 + (g / (l + 0.2)) * 0.75),
        inked[2] * clamp(0.4 + (b / (l + 0.2)) * 0.75),
      ],
      strong,
    );
  });
};

export const noir: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const level = levelled(lumaOf(canvas.rgb), 0.03);
  const soft = blur(level, width, height, 1, 20 * unit);
  const seed = random.fork();
  const tilt = random.between(-0.35, 0.35);
  const charcoal = grainTexture(seed + 2, 64, 3);
  each(canvas, (_r, _g, _b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const blind =
      smoothstep(-0.25, 0.25, Math.sin((y / height + (x / width) * tilt) * 46)) *
      smoothstep(0.75, 0.15, Math.abs(x / width - 0.5 + tilt * 0.5)) *
      0.15;
    const g = grainAt(charcoal, (x / unit) * 0.9, (y / unit) * 0.9) - 0.5;
    const n = (lattice(x, y, seed) - 0.5) * 0.05;
    const l = level[i]! + (level[i]! - soft[i]!) * 0.7 - 0.1;
    const v = smoothstep(0.1, 0.92, l + g * 0.34 + blind) ** 1.25 * 0.95 + 0.025 + n;
    return [v * 1.0, v * 0.99, v * 0.965];
  });
  vignette(canvas, 0.9);
};

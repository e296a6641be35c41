/** Storybook, anime and pop art: colour held by ink lines. */
import { hex } from '../colour.ts';
import { bloom } from '../filters/bloom.ts';
import { lines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, saturate } from '../filters/tone.ts';
import { fbm, field } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';

export const storybook: Look = (canvas, { random }) => {
  const { width, unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.6 * unit), 1.1);
  kuwahara(canvas, 5 * unit);
  saturate(canvas, 1.1, 0.9, 0.05);
  const paper = tooth(canvas, random.fork(), 0.2);
  const line = hex('#3b2a22');
  each(canvas, (r, g, b, i) => {
    const k = paper(i % width, Math.floor(i / width));
    const a = clamp(ink[i]! * (1.5 - Math.abs(k - 1) * 4)) * 0.85;
    const warm = [r * 1.03 * k, g * 0.99 * k, b * 0.88 * k] as const;
    return [warm[0] + (line[0] - warm[0]) * a, warm[1] + (line[1] - warm[1]) * a, warm[2] + (line[2] - warm[2]) * a];
  });
};

export const anime: Look = (canvas) => {
  const { unit, width, height } = canvas;
  const ink = lines(canvas, Math.max(1, unit), 0.8);
  kuwahara(canvas, 5 * unit);
  each(canvas, (r, g, b) => {
    const l = luma(r, g, b);
    const steps = 5;
    const q = (Math.floor(l * steps) + smoothstep(0.42, 0.58, (l * steps) % 1)) / steps;
    const k = (0.06 + q * 1.02) / Math.max(0.02, l);
    return [r * k, g * k, b * k];
  });
  saturate(canvas, 1.5, 1.02, 0.03);
  each(canvas, (r, g, b, i) => {
    const a = ink[i]! * 0.8;
    return [r + (0.1 - r) * a, g + (0.08 - g) * a, b + (0.2 - b) * a];
  });
  bloom(canvas.rgb, width, height, 26 * unit, 0.7, 0.55);
};

export const popArt: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const ink = lines(canvas, Math.max(1.4, 3 * unit), 1);
  kuwahara(canvas, 5 * unit);
  saturate(canvas, 1.25, 1.2, 0.05);
  const inks = random.shuffle(['#ffd400', '#ff2f6d', '#00a7e1', '#ff7a1a', '#3ac26b']).slice(0, 3).map(hex);
  const pitch = 11 * unit;
  const wide = field(width, height, 9, (x, y) => fbm((x / width) * 2, (y / height) * 2, 5, 2));
  each(canvas, (r, g, b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const l = clamp(luma(r, g, b));
    const flat = l < 0.24 ? hex('#1d1b4b') : l < 0.5 ? inks[0]! : l < 0.74 ? inks[1]! : hex('#fff4d2');
    const own = [
      clamp((r - l) * 2.2 + flat[0]),
      clamp((g - l) * 2.2 + flat[1]),
      clamp((b - l) * 2.2 + flat[2]),
    ] as const;
    const u = (x * 0.92 + y * 0.39) / pitch;
    const v = (-x * 0.39 + y * 0.92) / pitch;
    const d = Math.hypot(u - Math.round(u), v - Math.round(v));
    const part = (((l * 4) % 1) + 0) * 0.55;
    const dot = smoothstep(part + 0.06, part - 0.06, d) * (l > 0.24 ? 0.9 : 0.3);
    const dotted = l > 0.74 ? inks[2]! : hex('#ffffff');
    const a = ink[i]!;
    const mix = (o: number, t: number): number => (o + (t - o) * dot * (0.75 + 0.2 * wide[i]!)) * (1 - a) + 0.05 * a;
    return [mix(own[0], dotted[0]), mix(own[1], dotted[1]), mix(own[2], dotted[2])];
  });
};

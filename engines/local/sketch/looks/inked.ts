/** Storybook, anime and pop art: colour held by ink lines. */
import { each } from '../canvas.ts';
import { blend, hex, type Colour } from '../colour.ts';
import { bloom } from '../filters/bloom.ts';
import { lines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { saturate } from '../filters/tone.ts';
import { waves } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';

export const storybook: Look = (canvas, { random }) => {
  const { unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.6 * unit), 1.1);
  kuwahara(canvas, 5 * unit);
  saturate(canvas, 1.1, 0.9, 0.05);
  const paper = tooth(canvas, random.fork(), 0.2);
  const line = hex('#3b2a22');
  each(canvas, (r, g, b, x, y, i) => {
    const k = paper(x, y);
    const a = clamp(ink[i]! * (1.5 - Math.abs(k - 1) * 4)) * 0.85;
    return blend([r * 1.03 * k, g * 0.99 * k, b * 0.88 * k], line, a);
  });
};

export const anime: Look = (canvas) => {
  const { unit } = canvas;
  const ink = lines(canvas, Math.max(1, unit), 0.8);
  kuwahara(canvas, 5 * unit);
  const steps = 5;
  each(canvas, (r, g, b) => {
    const l = luma(r, g, b);
    const q = (Math.floor(l * steps) + smoothstep(0.42, 0.58, (l * steps) % 1)) / steps;
    const k = (0.06 + q * 1.02) / Math.max(0.02, l);
    return [r * k, g * k, b * k];
  });
  saturate(canvas, 1.5, 1.02, 0.03);
  each(canvas, (r, g, b, _x, _y, i) => blend([r, g, b], [0.1, 0.08, 0.2], ink[i]! * 0.8));
  bloom(canvas, 26 * unit, 0.7, 0.55);
};

const [shadow, paper, white]: readonly Colour[] = ['#1d1b4b', '#fff4d2', '#ffffff'].map(hex);

export const popArt: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const ink = lines(canvas, Math.max(1.4, 3 * unit), 1);
  kuwahara(canvas, 5 * unit);
  saturate(canvas, 1.25, 1.2, 0.05);
  const inks = random.shuffle(['#ffd400', '#ff2f6d', '#00a7e1', '#ff7a1a', '#3ac26b']).slice(0, 3).map(hex);
  const pitch = 11 * unit;
  const wide = waves(canvas, 9, { across: 2 / width, down: 2 / height, seed: 5, octaves: 2 });
  each(canvas, (r, g, b, x, y, i) => {
    const l = clamp(luma(r, g, b));
    const flat = l < 0.24 ? shadow! : l < 0.5 ? inks[0]! : l < 0.74 ? inks[1]! : paper!;
    const own = (v: number, c: number) => clamp((v - l) * 2.2 + flat[c]!);
    const u = (x * 0.92 + y * 0.39) / pitch;
    const v = (-x * 0.39 + y * 0.92) / pitch;
    const d = Math.sqrt((u - Math.round(u)) ** 2 + (v - Math.round(v)) ** 2);
    const part = ((l * 4) % 1) * 0.55;
    const dot = smoothstep(part + 0.06, part - 0.06, d) * (l > 0.24 ? 0.9 : 0.3);
    const dotted = l > 0.74 ? inks[2]! : white!;
    const printed = blend([own(r, 0), own(g, 1), own(b, 2)], dotted, dot * (0.75 + 0.2 * wide[i]!));
    return blend(printed, [0.05, 0.05, 0.05], ink[i]!);
  });
};

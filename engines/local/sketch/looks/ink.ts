/** The looks storybook, anime, pop art, pencil, ink wash and noir, which consist of lines and dark tones. */
import { blur } from '../../pixels/blur.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { each } from '../canvas.ts';
import { blend, type Colour, hex, times } from '../colour.ts';
import { lines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { bloom, levelled, saturate, vignette } from '../filters/tone.ts';
import { grainAt, grainTexture, waves } from '../noise.ts';
import { type Look, type Looks, stepped, tooth } from './look.ts';

const storybook: Look = (canvas, { random }) => {
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

const anime: Look = (canvas) => {
  const { unit } = canvas;
  const ink = lines(canvas, Math.max(1, unit), 0.8);
  kuwahara(canvas, 5 * unit);
  each(canvas, (r, g, b) => {
    const l = luma(r, g, b);
    const k = (0.06 + stepped(l, 5) * 1.02) / Math.max(0.02, l);
    return [r * k, g * k, b * k];
  });
  saturate(canvas, 1.5, 1.02, 0.03);
  each(canvas, (r, g, b, _x, _y, i) => blend([r, g, b], [0.1, 0.08, 0.2], ink[i]! * 0.8));
  bloom(canvas, 26 * unit, 0.7, 0.55);
};

const [shadow, paper, white]: readonly Colour[] = ['#1d1b4b', '#fff4d2', '#ffffff'].map(hex);

const popArt: Look = (canvas, { random }) => {
  const { unit } = canvas;
  const ink = lines(canvas, Math.max(1.4, 3 * unit), 1);
  kuwahara(canvas, 5 * unit);
  saturate(canvas, 1.25, 1.2, 0.05);
  const inks = random.shuffle(['#ffd400', '#ff2f6d', '#00a7e1', '#ff7a1a', '#3ac26b']).slice(0, 3).map(hex);
  const pitch = 11 * unit;
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
    const printed = blend([own(r, 0), own(g, 1), own(b, 2)], dotted, dot * 0.85);
    return blend(printed, [0.05, 0.05, 0.05], ink[i]!);
  });
};

const pencil: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.1 * unit), 1.7);
  const level = levelled(blur(lumaOf(canvas.rgb), width, height, 1, 1.5 * unit));
  const grain = grainTexture(random.fork(), 128, 2);
  const streaks = (angle: number, lane: number) => {
    const [c, s] = [Math.cos(angle) / unit, Math.sin(angle) / unit];
    return (x: number, y: number) => grainAt(grain, (x * c + y * s) * 0.045 + lane, (y * c - x * s) * 0.62 + lane * 3);
  };
  const [first, second, third] = [streaks(-0.95, 0), streaks(-0.45, 50), streaks(0.5, 90)];
  each(canvas, (_r, _g, _b, x, y, i) => {
    const dark = 1 - level[i]!;
    const g = grainAt(grain, x / unit, y / unit);
    let a = smoothstep(0.62 - dark * 0.62, 0.95 - dark * 0.5, first(x, y) + 0.1) * dark * 0.95;
    if (dark > 0.45) a += smoothstep(0.4, 0.7, second(x, y)) * (dark - 0.45) * 0.9;
    if (dark > 0.7) a += smoothstep(0.35, 0.65, third(x, y)) * (dark - 0.7) * 1.1;
    a = clamp((a + ink[i]! * 0.62) * (0.55 + g * 0.85), 0, 0.93);
    return blend(times([1, 0.99, 0.965], 0.965 + (g - 0.5) * 0.05), [0.17, 0.175, 0.19], a);
  });
};

const inkWash: Look = (canvas, { random, brief }) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  kuwahara(canvas, 7 * unit);
  const ink = lines(canvas, Math.max(1.2, 2.2 * unit), 0.9);
  const level = levelled(lumaOf(canvas.rgb), 0.03);
  const bleed = blur(level, width, height, 1, 9 * unit);
  const wash = waves(canvas, 5, { across: 0.008 / unit, down: 0.008 / unit, seed, octaves: 4 });
  const dry = grainTexture(seed + 5, 64, 3);
  const paper = tooth(canvas, seed + 8, 0.09, 1.4);
  each(canvas, (r, g, b, x, y, i) => {
    const w = wash[i]!;
    const tone = clamp(level[i]! * 0.45 + bleed[i]! * 0.55 + (w - 0.5) * 0.35);
    const mist = smoothstep(0.44, 0.68, w);
    const [pale, dark] = [smoothstep(0.72, 0.6, tone), smoothstep(0.52, 0.42, tone)];
    const step = pale * 0.19 + dark * 0.26 + smoothstep(0.3, 0.18, tone) * 0.4;
    const brush = ink[i]! * clamp(0.35 + grainAt(dry, (x / unit) * 0.35, (y / unit) * 1.4) * 1.1) * (1 - mist * 0.4);
    const sheet = times([0.95, 0.935, 0.89], paper(x, y));
    const inked = blend(sheet, [0.085, 0.09, 0.11], clamp(step * (1 - mist * 0.45) + brush * 0.75));
    // Keeps a trace of saturated colours, like the red seal on an ink painting.
    const most = brief.palette || canvas.plane[i]! >= 16 ? 0.6 : 0.12;
    const strong = smoothstep(0.22, 0.5, Math.max(r, g, b) - Math.min(r, g, b)) * most;
    const l = luma(r, g, b) + 0.2;
    const hue: Colour = [clamp(0.4 + r / l), clamp(0.4 + (g / l) * 0.75), clamp(0.4 + (b / l) * 0.75)];
    return blend(inked, times(inked, hue), strong);
  });
};

const noir: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const level = levelled(lumaOf(canvas.rgb), 0.03);
  const soft = blur(level, width, height, 1, 20 * unit);
  const tilt = random.between(-0.35, 0.35);
  const charcoal = grainTexture(random.fork(), 64, 3);
  each(canvas, (_r, _g, _b, x, y, i) => {
    const slat = smoothstep(-0.25, 0.25, Math.sin((y / height + (x / width) * tilt) * 46));
    const blind = slat * smoothstep(0.75, 0.15, Math.abs(x / width - 0.5 + tilt * 0.5)) * 0.15;
    const g = grainAt(charcoal, (x / unit) * 0.9, (y / unit) * 0.9) - 0.5;
    const l = level[i]! + (level[i]! - soft[i]!) * 0.7 - 0.1;
    return times([1, 0.99, 0.965], smoothstep(0.1, 0.92, l + g * 0.34 + blind) ** 1.25 * 0.95 + 0.025);
  });
  vignette(canvas, 0.9);
};

export const ink: Looks = { anime, 'ink-wash': inkWash, noir, pencil, 'pop-art': popArt, storybook };

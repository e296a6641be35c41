/** The looks engraving, linocut and ukiyo-e, and the house look of hamilton: prints from a plate or a block. */
import { blur } from '../../pixels/blur.ts';
import { cubeOf, lookUp } from '../../pixels/cube.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { each } from '../canvas.ts';
import { blend, type Colour, hex, times } from '../colour.ts';
import { lines, planeLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { levelled, saturate } from '../filters/tone.ts';
import { waves } from '../noise.ts';
import { hatched, type Look, type Looks, tooth } from './look.ts';

const engraving: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const grey = lumaOf(canvas.rgb);
  const level = levelled(blur(grey, width, height, 1, 1.6 * unit));
  const form = blur(grey, width, height, 1, 13 * unit);
  const ink = lines(canvas, Math.max(1, unit), 1);
  const paper = tooth(canvas, random.fork(), 0.1);
  const pitch = Math.max(3, 6.4 * unit);
  const burin = hatched(pitch, [
    [0.18, 0.07, 1.15, 1],
    [-0.75, 0.46, 1.25, -0.6],
    [1.3, 0.76, 2, 0.4],
  ]);
  each(canvas, (_r, _g, _b, x, y, i) => {
    const a = Math.max(burin(x, y, 1 - level[i]!, form[i]! * 70 * unit), ink[i]! * 0.9);
    return blend(times([0.965, 0.95, 0.905], paper(x, y)), [0.07, 0.075, 0.09], a);
  });
};

const linocut: Look = (canvas, { random, brief }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 7 * unit);
  const level = levelled(lumaOf(canvas.rgb), 0.04);
  const broad = blur(level, width, height, 1, 16 * unit);
  const seed = random.fork();
  const gouge = waves(canvas, 4, { across: 0.012 / unit, down: 0.012 / unit, seed, octaves: 2 });
  const paper = tooth(canvas, seed + 1, 0.14);
  const colour = brief.palette?.[2] ?? hex(random.pick(['#d9822b', '#c2452d', '#3f8f86', '#d8a928', '#5b86b8']));
  const edge = planeLines(canvas, Math.max(1, 1.6 * unit));
  // Returns the share of ink: dark areas are solid, light areas are bare, and middle tones become strokes.
  const inkAt = (l: number, stroke: number) => {
    if (l < 0.3) return 1;
    if (l < 0.56) return smoothstep(-0.1, 0.1, stroke + (0.43 - l) * 6);
    return l < 0.68 ? smoothstep(0.05, 0.2, stroke - 0.86 + (0.68 - l) * 1.4) : 0;
  };
  each(canvas, (r, g, b, x, y, i) => {
    const l = level[i]! + (level[i]! - broad[i]!) * 0.5;
    const turn = gouge[i]! * 7;
    const stroke = Math.cos(((x * Math.cos(turn) + y * Math.sin(turn)) / (8 * unit)) * Math.PI);
    const k = paper(x, y);
    const white = times([0.95, 0.92, 0.85], k);
    const strong = Math.max(r, g, b) - Math.min(r, g, b) > 0.16;
    const under = l < 0.86 && (strong || l < 0.66) ? blend(white, colour, 0.92 * clamp(k)) : white;
    // A white line separates two dark areas, and a dark line separates two light ones.
    const black = inkAt(l, stroke) * (1 - edge[i]! * (l < 0.3 ? 0.75 : 0));
    return blend(under, [0.09, 0.085, 0.1], Math.max(black, edge[i]! * (l >= 0.5 ? 0.9 : 0)));
  });
};

/** Pigments of a colour woodblock print, to which every colour is reduced. */
const pigments = (
  '#1f3552 #3c6584 #7fa7b5 #b9cdbf #e9dcb6 #f2e9d2 #d9a06a #c4553d #7a3b34 #5f7a55 #93a86a #2b2a30 #d8b8a0 ' +
  '#8d86a0 #f0c88a'
)
  .split(' ')
  .map(hex);

/** Returns the squared distance of two colours, weighted by how visible each channel is. */
const apart = (p: Colour, c: Colour) => (c[0] - p[0]) ** 2 * 2 + (c[1] - p[1]) ** 2 * 3 + (c[2] - p[2]) ** 2 * 1.5;

const ukiyoe: Look = (canvas, { random }) => {
  const { height, unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.25 * unit), 0.9);
  kuwahara(canvas, 8 * unit);
  kuwahara(canvas, 5 * unit);
  saturate(canvas, 1.25, 1.05);
  const seed = random.fork();
  const paper = tooth(canvas, seed, 0.12);
  const washi = waves(canvas, 4, { across: 0.004 / unit, down: 0.05 / unit, seed: seed + 2, octaves: 3 });
  const nearest = cubeOf((c) => pigments.reduce((best, p) => (apart(p, c) < apart(best, c) ? p : best)));
  const pigment = new Float32Array(3);
  const [indigo, line] = [hex('#2c4a6e'), hex('#22242c')];
  each(canvas, (r, g, b, x, y, i) => {
    // Adds bokashi, the printer's graded band along the top.
    const band = canvas.alpha ? 0 : smoothstep(0.17, 0, y / height) * 0.75;
    lookUp(nearest, [r * 255, g * 255, b * 255], 0, pigment);
    const c = blend(times([pigment[0]!, pigment[1]!, pigment[2]!], 1 / 255), indigo, band);
    const k = paper(x, y) * (0.94 + washi[i]! * 0.12);
    return blend([c[0] * k, c[1] * k * 0.99, c[2] * k * 0.95], line, ink[i]! * 0.85);
  });
};

/** Draws an etching on cream paper, tinted with thin washes and framed by a plate mark. */
export const hamiltonHouse: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const ink = lines(canvas, Math.max(1, unit), 1.2);
  const level = levelled(blur(lumaOf(canvas.rgb), width, height, 1, 1.4 * unit));
  canvas.rgb = blur(canvas.rgb, width, height, 3, 5 * unit);
  const seed = random.fork();
  const paper = tooth(canvas, seed, 0.11, 1.2);
  const waver = waves(canvas, 5, { across: 0.02 / unit, down: 0.02 / unit, seed: seed + 3, octaves: 3 });
  const pitch = Math.max(3, 5.2 * unit);
  const needle = hatched(pitch, [
    [-0.78, 0.3, 0.8, 1],
    [0.62, 0.58, 0.9, 1],
    [0.02, 0.74, 1.3, 1],
  ]);
  const margin = canvas.alpha ? 0 : 34 * unit;
  const sepia = hex('#3a2618');
  // A thin wash keeps the hue but only part of the darkness.
  const washed = (v: number, l: number) => 0.18 + 0.82 * clamp(0.93 + (v - l) * 1.5 - (1 - l) * 0.3);
  each(canvas, (r, g, b, x, y, i) => {
    const sheet = times([0.955, 0.918, 0.835], paper(x, y));
    const inset = Math.min(x, y, width - 1 - x, height - 1 - y) - margin;
    if (inset < 0) return inset > -2.2 * unit ? blend(sheet, sepia, 0.4) : sheet;
    const etched = 0.7 * needle(x, y, 1 - level[i]!, (waver[i]! - 0.5) * 26 * unit);
    const l = luma(r, g, b);
    const tinted = times(sheet, times([washed(r, l), washed(g, l), washed(b, l)], 0.76 + 0.26 * level[i]!));
    return blend(tinted, sepia, clamp(Math.max(etched, ink[i]! * 0.85)));
  });
};

export const prints: Looks = { engraving, linocut, 'ukiyo-e': ukiyoe };

/** Engraving, linocut, ukiyo-e and hamilton's own etching: pictures pulled from a plate or a block. */
import { blend, hex, type Colour } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { lines, planeLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, levelled, saturate } from '../filters/tone.ts';
import { fbm, field, lattice } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';

/** Ink coverage of lines at an angle whose width swells with darkness, bent by `bend`. */
function burin(x: number, y: number, angle: number, pitch: number, dark: number, bend: number): number {
  const v = (-x * Math.sin(angle) + y * Math.cos(angle) + bend) / pitch;
  const d = Math.abs(v - Math.round(v)) * 2;
  const edge = 1.4 / pitch;
  return smoothstep(dark + edge, dark - edge, d);
}

export const engraving: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const level = levelled(blur(lumaOf(canvas.rgb), width, height, 1, 1.6 * unit));
  const form = blur(lumaOf(canvas.rgb), width, height, 1, 13 * unit);
  const ink = lines(canvas, Math.max(1, unit), 1);
  const paper = tooth(canvas, random.fork(), 0.1);
  const pitch = Math.max(3, 6.4 * unit);
  each(canvas, (_r, _g, _b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const dark = 1 - level[i]!;
    const bend = form[i]! * 70 * unit;
    let a = burin(x, y, 0.18, pitch, clamp(dark * 1.15 - 0.08) * 0.9, bend);
    if (dark > 0.46) a = Math.max(a, burin(x, y, -0.75, pitch, clamp((dark - 0.46) * 1.25), -bend * 0.6));
    if (dark > 0.76) a = Math.max(a, burin(x, y, 1.3, pitch, clamp((dark - 0.76) * 2), bend * 0.4));
    a = Math.max(a, ink[i]! * 0.9);
    const k = paper(x, y);
    return blend([0.965 * k, 0.95 * k, 0.905 * k], [0.07, 0.075, 0.09], a);
  });
};

export const linocut: Look = (canvas, { random, brief }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 7 * unit);
  const grey = lumaOf(canvas.rgb);
  const level = levelled(grey, 0.04);
  const broad = blur(level, width, height, 1, 16 * unit);
  const seed = random.fork();
  const gouge = field(width, height, 4, (x, y) => fbm((x / unit) * 0.012, (y / unit) * 0.012, seed, 2));
  const paper = tooth(canvas, seed + 1, 0.14);
  const colour = brief.palette?.[2] ?? hex(random.pick(['#d9822b', '#c2452d', '#3f8f86', '#d8a928', '#5b86b8']));
  const edge = planeLines(canvas, Math.max(1, 1.6 * unit));
  each(canvas, (r, g, b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const l = level[i]! + (level[i]! - broad[i]!) * 0.5;
    const turn = gouge[i]! * 7;
    const stroke = Math.cos(((x * Math.cos(turn) + y * Math.sin(turn)) / (8 * unit)) * Math.PI);
    // Half tones are carved as strokes between the dark and the light.
    const black =
      l < 0.3
        ? 1
        : l < 0.56
          ? smoothstep(-0.1, 0.1, stroke + (0.43 - l) * 6)
          : l < 0.68
            ? smoothstep(0.05, 0.2, stroke - 0.86 + (0.68 - l) * 1.4)
            : 0;
    const k = paper(x, y);
    const white: Colour = [0.95 * k, 0.92 * k, 0.85 * k];
    const strong = Math.max(r, g, b) - Math.min(r, g, b) > 0.16;
    const under = l < 0.86 && (strong || l < 0.66) ? blend(white, colour, 0.92 * clamp(k)) : white;
    const salt = lattice(x >> 1, y >> 1, seed) > 0.985 ? 0.5 : 1;
    return blend(
      under,
      [0.09, 0.085, 0.1],
      Math.max(black * (1 - edge[i]! * (l < 0.3 ? 0.75 : 0)), edge[i]! * (l >= 0.5 ? 0.9 : 0)) * salt,
    );
  });
};

const pigments = [
  '#1f3552',
  '#3c6584',
  '#7fa7b5',
  '#b9cdbf',
  '#e9dcb6',
  '#f2e9d2',
  '#d9a06a',
  '#c4553d',
  '#7a3b34',
  '#5f7a55',
  '#93a86a',
  '#2b2a30',
  '#d8b8a0',
  '#8d86a0',
  '#f0c88a',
].map(hex);

export const ukiyoe: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const ink = lines(canvas, Math.max(1, 1.25 * unit), 0.9);
  kuwahara(canvas, 8 * unit);
  kuwahara(canvas, 5 * unit);
  saturate(canvas, 1.25, 1.05);
  const seed = random.fork();
  const paper = tooth(canvas, seed, 0.12);
  const washi = field(width, height, 4, (x, y) => fbm((x / unit) * 0.004, (y / unit) * 0.05, seed + 2, 3));
  each(canvas, (r, g, b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    let best = Infinity;
    let second = Infinity;
    let pick: Colour = [r, g, b];
    let next: Colour = pick;
    for (const c of pigments) {
      const d = (r - c[0]) ** 2 * 2 + (g - c[1]) ** 2 * 3 + (b - c[2]) ** 2 * 1.5;
      if (d < best) [second, next, best, pick] = [best, pick, d, c];
      else if (d < second) [second, next] = [d, c];
    }
    const soft = blend(pick, next, clamp(0.5 * smoothstep(0.82, 1, best / second)));
    // Bokashi: the printer's graded band along the top.
    const band = canvas.alpha ? 0 : smoothstep(0.17, 0, y / height) * 0.75;
    const c = blend(soft, hex('#2c4a6e'), band);
    const k = paper(x, y) * (0.94 + washi[i]! * 0.12);
    return blend([c[0] * k, c[1] * k * 0.99, c[2] * k * 0.95], hex('#22242c'), ink[i]! * 0.85);
  });
};

/** A channel of a thin wash: the hue in full, half of the depth. */
function washed(channel: number, l: number): number {
  return 0.93 + (channel - l) * 1.5 - (1 - l) * 0.3;
}

/** An etching on cream paper, hand-tinted with thin washes, inside its plate mark. */
export const hamiltonHouse: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const ink = lines(canvas, Math.max(1, unit), 1.2);
  const level = levelled(blur(lumaOf(canvas.rgb), width, height, 1, 1.4 * unit));
  const wash = blur(canvas.rgb, width, height, 3, 5 * unit);
  const seed = random.fork();
  const paper = tooth(canvas, seed, 0.11, 1.2);
  const waver = field(width, height, 5, (x, y) => fbm((x / unit) * 0.02, (y / unit) * 0.02, seed + 3, 3));
  const pitch = Math.max(3, 5.2 * unit);
  const margin = canvas.alpha ? 0 : 34 * unit;
  const sepia = hex('#3a2618');
  each(canvas, (_r, _g, _b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const k = paper(x, y);
    const sheet: Colour = [0.955 * k, 0.918 * k, 0.835 * k];
    const inset = Math.min(x, y, width - 1 - x, height - 1 - y) - margin;
    if (inset < 0) return inset > -2.2 * unit ? blend(sheet, sepia, 0.4) : sheet;
    const dark = 1 - level[i]!;
    const bend = (waver[i]! - 0.5) * 26 * unit;
    let a = burin(x, y, -0.78, pitch, clamp(dark * 0.8 - 0.24) * 0.75, bend) * 0.7;
    if (dark > 0.58) a = Math.max(a, burin(x, y, 0.62, pitch, clamp((dark - 0.58) * 0.9), bend) * 0.62);
    if (dark > 0.74) a = Math.max(a, burin(x, y, 0.02, pitch * 0.9, clamp((dark - 0.74) * 1.3), bend) * 0.72);
    a = clamp(Math.max(a, ink[i]! * 0.85));
    const [wr, wg, wb] = [wash[i * 3]!, wash[i * 3 + 1]!, wash[i * 3 + 2]!];
    const wl = luma(wr, wg, wb);
    const thin = 0.82;
    const tone = 0.76 + 0.26 * level[i]!;
    const tinted: Colour = [
      sheet[0] * (1 - thin + thin * clamp(washed(wr, wl))) * tone,
      sheet[1] * (1 - thin + thin * clamp(washed(wg, wl))) * tone,
      sheet[2] * (1 - thin + thin * clamp(washed(wb, wl))) * tone,
    ];
    return blend(tinted, sepia, a);
  });
};

/** The looks cinematic, dreamscape, neon, hologram, blueprint, contour and glitch, and the house look of quantum. */
import { blur } from '../../pixels/blur.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { each } from '../canvas.ts';
import { blend, type Colour, hex, hsl, rampTable, times } from '../colour.ts';
import { lines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { bloom, levelled, saturate, vignette } from '../filters/tone.ts';
import { lattice } from '../noise.ts';
import { type Look, type Looks, stepped, tooth } from './look.ts';

const cinematic: Look = (canvas, { random }) => {
  const { width, height, unit, plane } = canvas;
  const seed = random.fork();
  saturate(canvas, 0.88, 1.12, -0.03);
  bloom(canvas, 34 * unit, 0.6, 0.5);
  const far = blur(canvas.rgb, width, height, 3, 3.2 * unit);
  each(canvas, (sr, sg, sb, x, y, i) => {
    // Blurs only the layers behind the subjects.
    const k = plane[i]! >= 16 ? 0 : plane[i]! <= 2 ? 0.85 : 0.3;
    const [r, g, b] = blend([sr, sg, sb], [far[i * 3]!, far[i * 3 + 1]!, far[i * 3 + 2]!], k);
    const l = luma(r, g, b);
    const s = smoothstep(0.5, 0.05, l);
    const h = smoothstep(0.45, 0.95, l);
    const n = (lattice(x, y, seed) - 0.5) * 0.055;
    return [r * (1 - 0.2 * s) + 0.07 * h + n, g + 0.012 * s + 0.015 * h + n, b + 0.045 * s - 0.07 * h + n];
  });
  vignette(canvas, 0.75);
  if (canvas.alpha) return;
  const bar = Math.round(height * (width > height * 1.9 ? 0.03 : 0.075)) * width * 3;
  canvas.rgb.fill(0.015, 0, bar).fill(0.015, canvas.rgb.length - bar);
};

const dreamscape: Look = (canvas) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const soft = blur(canvas.rgb, width, height, 3, 13 * unit);
  // Blends the blurred picture over the sharp one (mode "screen"), so that bright areas glow.
  const screen = (sharp: number, p: number) => 1 - (1 - clamp(sharp) * 0.72) * (1 - clamp(soft[p]!) * 0.5);
  each(canvas, (r, g, b, x, y, i): Colour => {
    const hue = Math.sin((x / width) * 2.6 + (y / height) * 3.4);
    return [
      screen(r, i * 3) * 0.8 + 0.17 + 0.035 * hue,
      screen(g, i * 3 + 1) * 0.76 + 0.145,
      screen(b, i * 3 + 2) * 0.8 + 0.2 - 0.03 * hue,
    ];
  });
  saturate(canvas, 1.25);
  bloom(canvas, 40 * unit, 0.75, 0.4);
};

const neon: Look = (canvas) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const tubes = lines(canvas, Math.max(1, 2 * unit), 1.3);
  const tone = blur(canvas.rgb, width, height, 3, 9 * unit);
  each(canvas, (r, g, b, x, y, i): Colour => {
    const warmth = (tone[i * 3]! - tone[i * 3 + 2]!) * 1.3;
    const hue = 0.52 + 0.38 * clamp(0.5 + 0.55 * Math.sin((x / width) * 3.1 + (y / height) * 4.3) + warmth);
    const [tr, tg, tb] = hsl(hue, 1, 0.62);
    const a = tubes[i]! ** 1.2 * 1.25;
    const body = 0.1 + 0.3 * luma(r, g, b);
    return [0.045 + r * body * 0.9 + tr * a, 0.012 + g * body * 0.5 + tg * a, 0.1 + b * body * 1.1 + tb * a];
  });
  bloom(canvas, 16 * unit, 0.28, 1.35);
  bloom(canvas, 46 * unit, 0.4, 0.6);
  if (canvas.alpha) return;
  // Darkens rows like the scan lines of a cathode-ray tube.
  const pitch = Math.max(2, Math.round(3 * unit));
  each(canvas, (r, g, b, _x, y) => (y % pitch === 0 ? [r * 0.86, g * 0.86, b * 0.86] : null));
};

const hologram: Look = (canvas) => {
  const { width, height, unit } = canvas;
  const edge = lines(canvas, Math.max(1, 1.2 * unit), 1.2);
  const pitch = Math.max(2, 4 * unit);
  each(canvas, (r, g, b, x, y, i) => {
    const l = clamp(luma(r, g, b));
    const hue = 0.45 + 0.336 * Math.sin(l * 5.2 + (x / width) * 2.2 - (y / height) * 3);
    const [fr, fg, fb] = hsl(hue, 0.85, 0.12 + 0.58 * l);
    const a = edge[i]! * 0.85;
    const k = (0.62 + 0.38 * Math.cos((y / pitch) * Math.PI * 2)) * (0.85 + 0.15 * Math.sin((y / height) * 40));
    return [fr * k + a * 0.55, fg * k + a * 0.95 + 0.02, fb * k + a + 0.06];
  });
  bloom(canvas, 14 * unit, 0.45, 0.7);
};

/** Paints flat areas of cool tones with hairline contours and a diagonal sheen, like a futuristic poster. */
export const quantumHouse: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 7 * unit);
  kuwahara(canvas, 4 * unit);
  // Takes the bands of tone from a blurred picture, so that grass and waves become curves, not speckles.
  const calm = blur(lumaOf(canvas.rgb), width, height, 1, 8 * unit);
  const hair = lines(canvas, Math.max(1, 0.9 * unit));
  const angle = random.between(0.5, 1);
  const phase = random.next();
  const [across, down] = [(Math.cos(angle) * 9) / width, (Math.sin(angle) * 9) / height];
  each(canvas, (r, g, b, x, y, i) => {
    const own = clamp(luma(r, g, b));
    const off = own - calm[i]!;
    const l = canvas.plane[i]! >= 16 ? own : clamp(calm[i]! + off * smoothstep(0.1, 0.26, Math.abs(off)));
    const q = stepped(l, 7);
    const k = Math.min(1.3, (q + 0.02) / Math.max(0.03, own));
    const facet = Math.floor(x * across + y * down + phase * 2);
    const sheen = 0.035 * (facet % 2 === 0 ? 1 : -0.6) * (0.4 + q);
    const [cr, cg, cb] = blend([l, l, l], [r * k, g * k, b * k], 1.3);
    const shine = sheen + 0.025 * (1 - q);
    const cool: Colour = [cr * 0.88 + shine, cg * 0.96 + shine, cb * 1.04 + 0.1 * (1 - q) + shine];
    return blend(cool, [0.35, 0.98, 1], hair[i]! * 0.3);
  });
  saturate(canvas, 1.12, 1.1);
  bloom(canvas, 12 * unit, 0.75, 0.3);
};

const blueprint: Look = (canvas, { random }) => {
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

const contour: Look = (canvas, { brief }) => {
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

const glitch: Look = (canvas, { random }) => {
  const { width, unit } = canvas;
  kuwahara(canvas, 3 * unit);
  saturate(canvas, 1.25, 1.15);
  const seed = random.fork();
  const source = canvas.rgb.slice();
  const band = Math.max(2, Math.round(9 * unit));
  const pitch = Math.max(2, Math.round(4 * unit));
  // Shifts single bands far, and groups of six bands a little.
  const shiftOf = (n: number, chance: number, far: number) =>
    lattice(n, 1, seed) < chance ? (lattice(n, 3, seed) - 0.5) * width * far : 0;
  each(canvas, (_r, _g, _b, x, y) => {
    const row = Math.floor(y / band);
    const shift = shiftOf(row, 0.14, 0.16) || shiftOf(Math.floor(row / 6) - 99, 0.2, 0.07);
    const split = Math.round((4 + 9 * lattice(Math.floor(row / 3), 5, seed)) * unit);
    const scan = y % pitch < unit ? 0.74 : 1;
    const channel = (c: number, dx: number) =>
      source[(y * width + clamp(Math.round(x + shift + dx), 0, width - 1)) * 3 + c]! * scan;
    const [r, g, b] = [channel(0, split), channel(1, 0), channel(2, -split)];
    if (lattice(row, 1, seed) > 0.035) return [r, g, b];
    const l = luma(r, g, b);
    return [l < 0.5 ? 0.05 : 1, 1 - l, 0.85];
  });
};

export const light: Looks = { blueprint, cinematic, contour, dreamscape, glitch, hologram, neon };

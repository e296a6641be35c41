/** Paints the ground and the water in perspective. */
import { below, eachWithin } from '../canvas.ts';
import { blend, hex, times } from '../colour.ts';
import { fbm, field, grainAt, grainTexture } from '../noise.ts';
import { lit, rolling, type Ground, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

/** The pale and the dark colour of each ground. */
const materials: Readonly<Record<Ground, string>> = {
  grass: '#9fbf57 #3f6b35',
  flowers: '#9dbd5c #3d6a3a',
  snow: '#f6f9fd #b3c4de',
  sand: '#eccf98 #b98f5c',
  rock: '#a39b8c #57524d',
  street: '#7d7f88 #3a3c46',
  forest: '#7f8a4a #37402a',
  wood: '#a8713f #5d3719',
  moon: '#b9b7b2 #5b5a5e',
  seabed: '#d9cf9a #6d8a78',
  none: '#888888 #444444',
};

/** @param roll how far the ground's edge rises and falls around `top`, as a share of the height */
export function paintGround(stage: Stage, kind: Ground, top: number, plane: number, roll = rolling): void {
  const { canvas, light, side } = stage;
  const { width, height, rgb, unit } = canvas;
  const random = stage.random.stream(`ground-${kind}-${plane}`);
  const seed = random.fork();
  const grain = grainTexture(random.fork(), 32, 4);
  const [pale, deep] = materials[kind].split(' ').map((code) => lit(hex(code), light));
  const dark = blend(deep!, light.shadow, 0.2);
  const smooth = kind === 'snow' || kind === 'sand' || kind === 'seabed';
  const nearness = (y: number) => clamp((y - top) / (height - top));
  const relief = field(canvas, Math.max(4, Math.round(5 * unit)), (x, y) => {
    const z = 1 / (nearness(y) + 0.22);
    return fbm((x / width - 0.5) * z * 2.4 + 20, z * 2.8, seed, smooth ? 3 : 4);
  });
  const edgeAt = (x: number) => top + (fbm((x / width) * 3, 1, seed + 3, 3) - 0.5) * 2 * roll * height;
  const line = Float32Array.from({ length: width }, (_, x) => edgeAt(x));
  /** Returns the brightness of boards that run towards the viewer. */
  const boards = (x: number, y: number, tooth: number) => {
    const lane = (x - width / 2) / (nearness(y) + 0.5) / (width * 0.16);
    const seam = Math.abs(lane - Math.round(lane)) < 0.015 ? 0.4 : 0;
    return 0.55 + 0.16 * Math.sin(Math.round(lane) * 12.9) + tooth * 0.6 - seam;
  };
  below(canvas, line, plane, (x, y, i) => {
    const t = nearness(y);
    const z = 1 / (t + 0.1);
    const tooth = grainAt(grain, ((x - width / 2) * z * 0.42) / unit + 900, z * (kind === 'sand' ? 150 : 90)) - 0.5;
    const n = relief[i]!;
    const slope = x > 5 ? (n - relief[i - 5]!) * 14 * -side : 0;
    let k = 0.5 + (n - 0.5) * 1.1 + tooth * 0.75 + slope * 0.5;
    if (smooth) k = 0.62 + slope * 1.5 + tooth * 0.16 + (n - 0.5) * 0.5;
    if (kind === 'wood') k = boards(x, y, tooth);
    // Paints craters with a pale floor and a dark rim.
    if (kind === 'moon')
      k += smoothstep(0.62, 0.7, n) * 0.25 - smoothstep(0.56, 0.62, n) * smoothstep(0.7, 0.62, n) * 0.7;
    let c = blend(dark, pale!, clamp(0.5 + (k - 0.5) * (0.5 + 0.5 * light.contrast)));
    if (kind === 'street') {
      // A wet street mirrors the picture above its edge.
      const row = clamp(Math.round(line[x]! - (y - line[x]!) * 0.8), 0, Math.max(0, Math.floor(line[x]!) - 1));
      const p = (row * width + clamp(Math.round(x + tooth * 26), 0, width - 1)) * 3;
      c = blend(c, times([rgb[p]!, rgb[p + 1]!, rgb[p + 2]!], 1.15), 0.45 * smoothstep(0.35, 0.6, n));
    }
    return blend(blend(c, light.haze, (1 - t) ** 2 * 0.45), light.shadow, smoothstep(0.55, 1.15, t) * 0.34);
  });
}

/** Paints a rippled reflection of the picture above the row `top`, with the glitter of the lamp. */
export function paintWater(stage: Stage, top: number, plane: number, rough: number): void {
  const { canvas, light, lamp } = stage;
  const { width, height, unit, rgb } = canvas;
  const random = stage.random.stream('water');
  const grain = grainTexture(random.fork(), 16, 4);
  const seed = random.fork();
  const swell = field(canvas, Math.max(4, Math.round(5 * unit)), (x, y) => {
    const z = 1 / (Math.max(0, y - top) / (height - top) + 0.1);
    return fbm((x / width - 0.5) * z * 2.2 + 9, z * 3.4, seed, 3);
  });
  const deep = blend(lit(hex(light.dark ? '#1d4460' : '#1f6a86'), light), light.shadow, 0.25);
  const glint = lamp.visible ? 0.95 : light.dark ? 0 : 0.25;
  eachWithin(canvas, top, height, (_r, _g, _b, x, y, i) => {
    const t = (y - top) / (height - top);
    const z = 1 / (t + 0.06);
    const calm = (4 + 46 * t) * unit * rough;
    const ripple = grainAt(grain, ((x - width / 2) * z * 0.1 + 500) / unit / 2.4, z * 26);
    const n = ripple - 0.5 + (swell[i]! - 0.5) * 1.3;
    const row = clamp(Math.round(2 * top - y - t * top * 0.15 + n * calm * 2.4), 0, Math.floor(top) - 1);
    const s = (row * width + clamp(Math.round(x + n * calm), 0, width - 1)) * 3;
    const mirrored = blend([rgb[s]!, rgb[s + 1]!, rgb[s + 2]!], deep, clamp(0.2 + 0.5 * t - n * 0.55 * rough));
    const crest = clamp((n - 0.2) * 4) * (0.12 + 0.3 * rough) * (0.3 + t);
    const path = Math.exp(-(((x - lamp.x) / ((0.02 + 0.1 * t) * width)) ** 2));
    canvas.plane[i] = plane;
    return blend(blend(mirrored, light.cloud, crest), light.sun, clamp((n + 0.12) * 3.2) * path * glint);
  });
}

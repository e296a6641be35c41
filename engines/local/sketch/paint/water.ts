/** Paints water: a rippled reflection of the picture above it, with the glitter of the lamp. */
import { each } from '../canvas.ts';
import { hex, blend } from '../colour.ts';
import { fbm, field, grainAt, grainTexture } from '../noise.ts';
import { lit, type Stage } from './stage.ts';
import { clamp } from '../../pixels/range.ts';

export function paintWater(stage: Stage, top: number, plane: number, rough: number): void {
  const { canvas, light, lamp } = stage;
  const { width, height, unit, rgb } = canvas;
  const random = stage.random.stream('water');
  const grain = grainTexture(random.fork(), 16, 4);
  const seed = random.fork();
  const swell = field(width, height, Math.max(4, Math.round(5 * unit)), (x, y) => {
    const z = 1 / (Math.max(0, y - top) / (height - top) + 0.1);
    return fbm((x / width - 0.5) * z * 2.2 + 9, z * 3.4, seed, 3);
  });
  const deep = blend(lit(hex(light.dark ? '#1d4460' : '#1f6a86'), light), light.shadow, 0.25);
  const glint = lamp.visible ? 0.95 : light.dark ? 0 : 0.25;
  const paintAt = (_r: number, _g: number, _b: number, x: number, y: number, i: number) => {
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
  };
  each(canvas, paintAt, top);
}

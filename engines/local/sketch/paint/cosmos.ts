/** Paints outer space: nebulae, stars and a planet. */
import { each, eachWithin } from '../canvas.ts';
import { blend, hsl, times } from '../colour.ts';
import { fbm, field, ridged } from '../noise.ts';
import { scatterStars } from './sky.ts';
import type { Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintSpace(stage: Stage): void {
  const { canvas } = stage;
  const { width, height, unit } = canvas;
  const random = stage.random.stream('space');
  const seed = random.fork();
  const hue = random.next();
  const f = 3 / Math.max(width, height);
  const step = Math.max(3, Math.round(4 * unit));
  const cloud = field(canvas, step, (x, y) => {
    const w = fbm(x * f, y * f, seed + 3, 3) * 2;
    return fbm(x * f + w, y * f - w, seed, 5);
  });
  const veins = field(canvas, step, (x, y) => ridged(x * f * 1.3, y * f * 1.3, seed + 50, 4));
  const angle = random.between(-0.8, 0.8);
  const [sin, cos] = [Math.sin(angle) / (height * 0.3), Math.cos(angle) / (height * 0.3)];
  const [gas, glow, core] = [hsl(hue, 0.75, 0.3), hsl(hue + 0.35, 0.85, 0.6), hsl(hue + 0.1, 0.9, 0.86)];
  each(canvas, (_r, _g, _b, x, y, i) => {
    const band = Math.exp(-(((y - height / 2) * cos + (x - width / 2) * sin) ** 2));
    const k = smoothstep(0.3, 0.85, cloud[i]! * (0.6 + 0.6 * band));
    const c = blend(blend([0.012, 0.014, 0.05], gas, k), glow, k * k * veins[i]!);
    return blend(c, core, k ** 4 * veins[i]! ** 2 * 1.2);
  });
  scatterStars(canvas, random, 900, height);
}

/** Paints a shaded planet with bands or land, and the rim of its atmosphere. */
export function paintPlanet(stage: Stage): void {
  const { canvas, side } = stage;
  const { width, height } = canvas;
  const random = stage.random.stream('planet');
  const seed = random.fork();
  const [cx, cy] = [width * (0.5 + side * 0.26), height * random.between(0.2, 0.36)];
  const radius = Math.min(width, height) * random.between(0.12, 0.2);
  const hue = random.next();
  const [across, down] = random.chance(0.5) ? [2.4, 2.4] : [0.6, 5];
  const [sea, land, rim] = [hsl(hue, 0.5, 0.32), hsl(hue + 0.13, 0.55, 0.7), hsl(hue + 0.05, 0.7, 0.75)];
  eachWithin(canvas, cy - radius * 1.1, cy + radius * 1.1, (r, g, b, x, y, i) => {
    const [u, v] = [(x - cx) / radius, (y - cy) / radius];
    const d = Math.sqrt(u * u + v * v);
    if (d > 1.1) return null;
    if (d > 1) return blend([r, g, b], rim, clamp(1 - (d - 1) * 14) ** 2 * 0.45 * clamp(0.4 + (u * side - v) * 0.6));
    const z = Math.sqrt(1 - d * d);
    const n = fbm((u * across) / (0.5 + z) + 7, (v * down) / (0.5 + z) + 7, seed, 5);
    const sun = clamp(0.12 + (u * side * 0.62 - v * 0.42 + z * 0.62) * 1.05, 0.03, 1);
    canvas.plane[i] = 2;
    return blend([r, g, b], times(blend(sea, land, smoothstep(0.32, 0.68, n)), sun), clamp((1 - d) * radius));
  });
}

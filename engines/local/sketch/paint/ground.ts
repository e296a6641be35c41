/** Ground in perspective: grass, snow, sand, rock, a wet street, boards, the moon's dust, the sea's floor. */
import { blend, hex, mixInto, type Colour } from '../colour.ts';
import { fbm, field, grainAt, grainTexture } from '../noise.ts';
import { lit, type Ground, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

const materials: Readonly<Record<Ground, readonly [light: string, dark: string]>> = {
  grass: ['#9fbf57', '#3f6b35'],
  flowers: ['#9dbd5c', '#3d6a3a'],
  snow: ['#f6f9fd', '#b3c4de'],
  sand: ['#eccf98', '#b98f5c'],
  rock: ['#a39b8c', '#57524d'],
  street: ['#7d7f88', '#3a3c46'],
  forest: ['#7f8a4a', '#37402a'],
  wood: ['#a8713f', '#5d3719'],
  moon: ['#b9b7b2', '#5b5a5e'],
  seabed: ['#d9cf9a', '#6d8a78'],
  none: ['#888888', '#444444'],
};

/** The edge of the ground: a gently rolling line around `top`. */
export function paintGround(stage: Stage, kind: Ground, top: number, plane: number, roll = 0.03): void {
  const { canvas, light, side } = stage;
  const { width, height, rgb } = canvas;
  const random = stage.random.stream(`ground-${kind}-${plane}`);
  const seed = random.fork();
  const grain = grainTexture(random.fork(), 32, 4);
  const [a, b] = materials[kind];
  const bright = lit(hex(a), light);
  const dark = blend(lit(hex(b), light), light.shadow, 0.2);
  const unit = canvas.unit;
  const smooth = kind === 'snow' || kind === 'sand' || kind === 'seabed';
  const relief = field(width, height, Math.max(4, Math.round(5 * unit)), (x, y) => {
    const z = 1 / ((y - top) / (height - top + 1) + 0.22);
    return fbm((x / width - 0.5) * z * 2.4 + 20, z * 2.8, seed, smooth ? 3 : 4);
  });
  const line = new Float32Array(width);
  for (let x = 0; x < width; x++) line[x] = top + (fbm((x / width) * 3, 1, seed + 3, 3) - 0.5) * 2 * roll * height;
  for (let y = Math.max(0, Math.floor(top - roll * height)); y < height; y++) {
    const t = clamp((y - top) / (height - top));
    const z = 1 / (t + 0.1);
    for (let x = 0; x < width; x++) {
      const cover = y - line[x]! + 0.5;
      if (cover <= 0) continue;
      const i = y * width + x;
      const g = grainAt(grain, ((x - width / 2) * z * 0.42) / unit + 900, z * (kind === 'sand' ? 150 : 90)) - 0.5;
      const n = relief[i]!;
      const left = x > 5 ? relief[i - 5]! : n;
      const slope = (n - left) * 14 * -side;
      let k = smooth ? 0.62 + slope * 1.5 + g * 0.16 + (n - 0.5) * 0.5 : 0.5 + (n - 0.5) * 1.1 + g * 0.75 + slope * 0.5;
      if (kind === 'wood') k = boards(x, y, width, height, top, g);
      if (kind === 'moon')
        k += smoothstep(0.62, 0.7, n) * 0.25 - smoothstep(0.56, 0.62, n) * smoothstep(0.7, 0.62, n) * 0.7;
      let c: Colour = blend(dark, bright, clamp(0.5 + (k - 0.5) * (0.5 + 0.5 * light.contrast)));
      if (kind === 'street') c = blend(c, reflected(rgb, x, y, line[x]!, width, g), 0.45 * smoothstep(0.35, 0.6, n));
      c = blend(c, light.haze, (1 - t) ** 2 * 0.45);
      c = blend(c, light.shadow, smoothstep(0.55, 1.15, t) * 0.34);
      mixInto(rgb, i * 3, c, Math.min(1, cover));
      canvas.plane[i] = plane;
    }
  }
}

function boards(x: number, y: number, width: number, height: number, top: number, g: number): number {
  const z = (y - top) / (height - top) + 0.5;
  const lane = (x - width / 2) / z / (width * 0.16);
  const seam = Math.abs(lane - Math.round(lane));
  return (
    0.55 +
    0.16 * Math.sin(Math.round(lane) * 12.9) +
    g * 0.5 -
    (seam < 0.015 ? 0.4 : 0) +
    0.1 * Math.sin(x * 0.02 + g * 5)
  );
}

function reflected(rgb: Float32Array, x: number, y: number, line: number, width: number, g: number): Colour {
  const row = clamp(Math.round(line - (y - line) * 0.8), 0, Math.max(0, Math.floor(line) - 1));
  const p = (row * width + clamp(Math.round(x + g * 26), 0, width - 1)) * 3;
  return [rgb[p]! * 1.15, rgb[p + 1]! * 1.15, rgb[p + 2]! * 1.15];
}

/** Ground in perspective: grass, snow, sand, rock, a wet street, boards, the moon's dust, the sea's floor. */
import { each } from '../canvas.ts';
import { blend, hex, times, type Colour } from '../colour.ts';
import { fbm, field, grainAt, grainTexture } from '../noise.ts';
import { lit, rolling, type Ground, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

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

/** @param roll how far its edge rolls around `top`, as a part of the height */
export function paintGround(stage: Stage, kind: Ground, top: number, plane: number, roll = rolling): void {
  const { canvas, light, side } = stage;
  const { width, height, rgb, unit } = canvas;
  const random = stage.random.stream(`ground-${kind}-${plane}`);
  const seed = random.fork();
  const grain = grainTexture(random.fork(), 32, 4);
  const [pale, deep] = materials[kind].split(' ').map(hex);
  const bright = lit(pale!, light);
  const dark = blend(lit(deep!, light), light.shadow, 0.2);
  const smooth = kind === 'snow' || kind === 'sand' || kind === 'seabed';
  const first = Math.max(0, Math.floor(top - roll * height));
  const step = Math.max(4, Math.round(5 * unit));
  // Every layer samples its noise at the same places.
  const start = first - (first % step);
  const relief = field(width, height - start, step, (x, row) => {
    const z = 1 / ((row + start - top) / (height - top + 1) + 0.22);
    return fbm((x / width - 0.5) * z * 2.4 + 20, z * 2.8, seed, smooth ? 3 : 4);
  });
  const line = new Float32Array(width);
  for (let x = 0; x < width; x++) line[x] = top + (fbm((x / width) * 3, 1, seed + 3, 3) - 0.5) * 2 * roll * height;
  // A wet street mirrors what stands above its edge.
  const reflected = (x: number, y: number, g: number): Colour => {
    const edge = line[x]!;
    const row = clamp(Math.round(edge - (y - edge) * 0.8), 0, Math.max(0, Math.floor(edge) - 1));
    const p = (row * width + clamp(Math.round(x + g * 26), 0, width - 1)) * 3;
    return times([rgb[p]!, rgb[p + 1]!, rgb[p + 2]!], 1.15);
  };
  const boards = (x: number, y: number, g: number): number => {
    const lane = (x - width / 2) / ((y - top) / (height - top) + 0.5) / (width * 0.16);
    const seam = Math.abs(lane - Math.round(lane)) < 0.015 ? 0.4 : 0;
    return 0.55 + 0.16 * Math.sin(Math.round(lane) * 12.9) + g * 0.5 - seam + 0.1 * Math.sin(x * 0.02 + g * 5);
  };
  const fine = kind === 'sand' ? 150 : 90;
  each(
    canvas,
    (r, g, b, x, y, i) => {
      const cover = y - line[x]! + 0.5;
      if (cover <= 0) return null;
      const t = clamp((y - top) / (height - top));
      const z = 1 / (t + 0.1);
      const tooth = grainAt(grain, ((x - width / 2) * z * 0.42) / unit + 900, z * fine) - 0.5;
      const at = i - start * width;
      const n = relief[at]!;
      const slope = x > 5 ? (n - relief[at - 5]!) * 14 * -side : 0;
      let k = smooth
        ? 0.62 + slope * 1.5 + tooth * 0.16 + (n - 0.5) * 0.5
        : 0.5 + (n - 0.5) * 1.1 + tooth * 0.75 + slope * 0.5;
      if (kind === 'wood') k = boards(x, y, tooth);
      // Craters: a pale floor within a dark rim.
      if (kind === 'moon')
        k += smoothstep(0.62, 0.7, n) * 0.25 - smoothstep(0.56, 0.62, n) * smoothstep(0.7, 0.62, n) * 0.7;
      let c = blend(dark, bright, clamp(0.5 + (k - 0.5) * (0.5 + 0.5 * light.contrast)));
      if (kind === 'street') c = blend(c, reflected(x, y, tooth), 0.45 * smoothstep(0.35, 0.6, n));
      c = blend(blend(c, light.haze, (1 - t) ** 2 * 0.45), light.shadow, smoothstep(0.55, 1.15, t) * 0.34);
      canvas.plane[i] = plane;
      return cover < 1 ? blend([r, g, b], c, cover) : c;
    },
    first,
  );
}

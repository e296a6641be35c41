/** Water: a broken mirror of what stands above it, with the lamp's path of light. */
import { mixInto, hex, blend } from '../colour.ts';
import { fbm, field, grainAt, grainTexture } from '../noise.ts';
import { lit, type Stage } from './stage.ts';
import { clamp } from '../../pixels/range.ts';

export function paintWater(stage: Stage, top: number, plane: number, rough: number): void {
  const { canvas, light, lamp } = stage;
  const { width, height, rgb } = canvas;
  const random = stage.random.stream('water');
  const grain = grainTexture(random.fork(), 16, 4);
  const seed = random.fork();
  const unit = canvas.unit;
  const swell = field(width, height, Math.max(4, Math.round(5 * unit)), (x, y) => {
    const t = (y - top) / (height - top + 1);
    const z = 1 / (t + 0.1);
    return fbm((x / width - 0.5) * z * 2.2 + 9, z * 3.4, seed, 3);
  });
  const deep = blend(lit(hex(light.dark ? '#1d4460' : '#1f6a86'), light), light.shadow, 0.25);
  const above = rgb.slice(0, Math.ceil(top + 1) * width * 3);
  for (let y = Math.floor(top); y < height; y++) {
    const t = (y - top) / (height - top);
    const z = 1 / (t + 0.06);
    const calm = (4 + 46 * t) * unit * rough;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const u = (x - width / 2) * z * 0.1 + 500;
      const n = grainAt(grain, u / unit / 2.4, z * 26) - 0.5 + (swell[i]! - 0.5) * 1.3;
      const my = clamp(Math.round(2 * top - y * 1 - t * top * 0.15 + n * calm * 2.4), 0, Math.floor(top) - 1);
      const mx = clamp(Math.round(x + n * calm), 0, width - 1);
      const s = (my * width + mx) * 3;
      const p = i * 3;
      const k = clamp(0.2 + 0.5 * t - n * 0.55 * rough);
      rgb[p] = above[s]! * (1 - k) + deep[0] * k;
      rgb[p + 1] = above[s + 1]! * (1 - k) + deep[1] * k;
      rgb[p + 2] = above[s + 2]! * (1 - k) + deep[2] * k;
      const crestLine = clamp((n - 0.2) * 4) * (0.12 + 0.3 * rough) * (0.3 + t);
      if (crestLine > 0) mixInto(rgb, p, light.cloud, crestLine);
      if (lamp.visible || !light.dark) {
        const path = Math.exp(-(((x - lamp.x) / ((0.02 + 0.1 * t) * width)) ** 2));
        const spark = clamp((n + 0.12) * 3.2) * path * (lamp.visible ? 0.95 : 0.25);
        if (spark > 0.01) mixInto(rgb, p, light.sun, spark);
      }
      canvas.plane[i] = plane;
    }
  }
}

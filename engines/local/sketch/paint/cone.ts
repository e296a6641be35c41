/** One great mountain alone: a long concave cone with a ragged cap of snow. */
import { blend, hex, mixInto } from '../colour.ts';
import { fbm } from '../noise.ts';
import { lit, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintCone(stage: Stage, plane: number): void {
  const { canvas, light, horizon, side } = stage;
  const { width, height, rgb } = canvas;
  const random = stage.random.stream('cone');
  const seed = random.fork();
  const middle = width * (0.5 - side * random.between(0.02, 0.14));
  const tall = Math.min(horizon * 0.62, width * 0.4);
  const reach = tall * 1.75;
  const rock = lit(hex('#5f7398'), light);
  const snow = lit([0.97, 0.98, 1], light);
  for (let x = 0; x < width; x++) {
    const d = Math.abs(x - middle) / reach;
    const flat = smoothstep(0.055, 0.02, d) * 0.04;
    const rise = Math.exp(-d * 2.6) - flat - 0.05 + (fbm((x / width) * 26, 2, seed, 3) - 0.5) * 0.035;
    const top = horizon - tall * Math.max(0, rise);
    for (let y = Math.max(0, Math.floor(top)); y < horizon + height * 0.05; y++) {
      const level = (horizon - y) / tall;
      // Gullies run down from the summit.
      const gully = fbm(((x - middle) / (reach * (0.16 + 1.1 * (1 - level)))) * 5 + 40, level * 1.4, seed + 3, 4) - 0.5;
      const facing = clamp(0.5 + ((x - middle) / reach) * side * 1.8 + gully * 1.3);
      const cap = smoothstep(0.5, 0.58, level + gully * 0.42);
      const c = blend(
        blend(blend(rock, light.shadow, 0.5), rock, facing),
        blend(blend(snow, light.shadow, 0.42), snow, facing),
        cap,
      );
      mixInto(
        rgb,
        (y * width + x) * 3,
        blend(c, light.haze, clamp(0.2 + 0.75 * (1 - level) ** 2.2)),
        clamp(y - top + 0.5),
      );
      canvas.plane[y * width + x] = plane;
    }
  }
}

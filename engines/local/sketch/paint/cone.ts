/** One great mountain alone: a long concave cone with a ragged cap of snow. */
import { each } from '../canvas.ts';
import { blend, hex } from '../colour.ts';
import { fbm } from '../noise.ts';
import { hiddenFrom, lit, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintCone(stage: Stage, plane: number): void {
  const { canvas, light, horizon, side } = stage;
  const { width, height } = canvas;
  const random = stage.random.stream('cone');
  const seed = random.fork();
  const middle = width * (0.5 - side * random.between(0.02, 0.14));
  const tall = Math.min(horizon * 0.62, width * 0.4);
  const reach = tall * 1.75;
  const [rock, snow] = [lit(hex('#5f7398'), light), lit([0.97, 0.98, 1], light)];
  const [rockShade, snowShade] = [blend(rock, light.shadow, 0.5), blend(snow, light.shadow, 0.42)];
  const line = Float32Array.from({ length: width }, (_, x) => {
    const d = Math.abs(x - middle) / reach;
    const ragged = (fbm((x / width) * 26, 2, seed, 3) - 0.5) * 0.035;
    return horizon - tall * Math.max(0, Math.exp(-d * 2.6) - smoothstep(0.055, 0.02, d) * 0.04 - 0.05 + ragged);
  });
  each(
    canvas,
    (r, g, b, x, y, i) => {
      if (y < Math.floor(line[x]!)) return null;
      const level = (horizon - y) / tall;
      // Gullies run down from the summit.
      const gully = fbm(((x - middle) / (reach * (1.26 - 1.1 * level))) * 5 + 40, level * 1.4, seed + 3, 4) - 0.5;
      const facing = clamp(0.5 + ((x - middle) / reach) * side * 1.8 + gully * 1.3);
      const cap = smoothstep(0.5, 0.58, level + gully * 0.42);
      const c = blend(blend(rockShade, rock, facing), blend(snowShade, snow, facing), cap);
      canvas.plane[i] = plane;
      return blend([r, g, b], blend(c, light.haze, clamp(0.2 + 0.75 * (1 - level) ** 2.2)), clamp(y - line[x]! + 0.5));
    },
    Math.min(...line),
    Math.min(horizon + height * 0.05, hiddenFrom(stage)),
  );
}

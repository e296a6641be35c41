/** A meadow's foreground: blades of grass that grow with nearness, and flowers among them. */
import { disc, run } from '../canvas.ts';
import { blend, hex, hsl } from '../colour.ts';
import { lit, type Stage } from './stage.ts';

/** Blades that grow with nearness, and flowers among them. */
export function paintGrass(stage: Stage, top: number, flowers: number, plane: number): void {
  const { canvas, light } = stage;
  const random = stage.random.stream('grass');
  const { width, height } = canvas;
  const span = height - top;
  const total = Math.round(1500 * Math.max(0.4, width / height));
  const hues = [
    random.between(0.9, 1.06),
    random.between(0.1, 0.16),
    random.between(0.58, 0.82),
    random.between(0.95, 1.02),
  ];
  const wind = random.between(-0.4, 0.4) * (stage.brief.weather.has('wind') ? 2.4 : 1);
  for (let i = 0; i < total; i++) {
    const t = (i / total) ** 0.75;
    const y = top + span * (0.06 + t * 1.02);
    const x = random.next() * width;
    const tall = canvas.unit * (4 + 40 * t * t) * random.between(0.6, 1.3);
    const c = blend(
      lit(blend(hex('#4f7a34'), hex('#a9c45c'), random.next()), light),
      light.shadow,
      random.between(0, 0.3) + (t > 0.8 ? 0.18 : 0),
    );
    const bend = (wind + random.between(-0.35, 0.35)) * tall;
    for (let k = 0; k <= 1; k += Math.max(0.05, 1 / tall)) {
      const half = Math.max(0.4, canvas.unit * (0.6 + 1.7 * t) * (1 - k));
      const cx = x + bend * k * k;
      run(canvas, Math.round(y - tall * k), cx - half, cx + half, () => c, 0.85, plane);
    }
    if (flowers > 0 && random.chance(flowers * 0.5)) {
      const hue = random.pick(hues);
      const petal = lit(hsl(hue + random.between(-0.03, 0.03), 0.75, 0.66), light);
      const r = canvas.unit * (1.4 + (flowers >= 1 ? 10.5 : 6) * t * t) * random.between(0.7, 1.2);
      const fx = x + bend;
      const fy = y - tall;
      for (let p = 0; p < 5; p++)
        disc(
          canvas,
          fx + Math.cos(p * 1.257) * r * 0.75,
          fy + Math.sin(p * 1.257) * r * 0.6,
          r * 0.62,
          blend(petal, [1, 1, 1], p * 0.05),
          0.95,
          0.9,
          plane,
        );
      disc(canvas, fx, fy, r * 0.42, lit(hex('#f6cf4a'), light), 1, 1, plane);
    }
  }
}

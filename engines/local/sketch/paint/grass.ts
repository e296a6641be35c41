/** Paints grass, whose blades are longer near the viewer, and flowers in it. */
import { disc, run } from '../canvas.ts';
import { blend, hex, hsl } from '../colour.ts';
import type { Random } from '../random.ts';
import { lit, type Stage } from './stage.ts';

const [deep, pale] = [hex('#4f7a34'), hex('#a9c45c')];

/** Paints a blade of a random green that bends with its height. `wide` is half of its width at the foot. */
function paintBlade(
  { canvas, light }: Stage,
  [x, y]: readonly [number, number],
  { tall, wide, bend, shade }: { tall: number; wide: number; bend: number; shade: number },
  random: Random,
): void {
  const colour = blend(lit(blend(deep, pale, random.next()), light), light.shadow, shade);
  for (let k = 0; k <= 1; k += Math.max(0.05, 1 / tall)) {
    const half = Math.max(0.4, wide * (1 - k));
    const cx = x + bend * tall * k * k;
    run(canvas, Math.round(y - tall * k), cx - half, cx + half, colour, 0.85, 5);
  }
}

/** @param flowers twice the share of blades that have a flower */
export function paintGrass(stage: Stage, top: number, flowers: number): void {
  const { canvas, light } = stage;
  const { width, height, unit } = canvas;
  const random = stage.random.stream('grass');
  const total = Math.round(1500 * Math.max(0.4, width / height));
  const ranges = [[0.9, 1.06], [0.1, 0.16], [0.58, 0.82], [0.95, 1.02]] as const; // prettier-ignore
  const hues = ranges.map(([low, high]) => random.between(low, high));
  const wind = random.between(-0.4, 0.4) * (stage.brief.weather.has('wind') ? 2.4 : 1);
  const heart = lit(hex('#f6cf4a'), light);
  for (let i = 0; i < total; i++) {
    const t = (i / total) ** 0.75;
    const [x, y] = [random.next() * width, top + (height - top) * (0.06 + t * 1.02)];
    const tall = unit * (4 + 40 * t * t) * random.between(0.6, 1.3);
    const shade = random.between(0, 0.3) + (t > 0.8 ? 0.18 : 0);
    const bend = wind + random.between(-0.35, 0.35);
    paintBlade(stage, [x, y], { tall, wide: unit * (0.6 + 1.7 * t), bend, shade }, random);
    if (flowers === 0 || !random.chance(flowers * 0.5)) continue;
    const hue = random.pick(hues);
    const petal = lit(hsl(hue + random.between(-0.03, 0.03), 0.75, 0.66), light);
    const r = unit * (1.4 + (flowers >= 1 ? 10.5 : 6) * t * t) * random.between(0.7, 1.2);
    const [fx, fy] = [x + bend * tall, y - tall];
    for (let p = 0; p < 5; p++) {
      const [px, py] = [fx + Math.cos(p * 1.257) * r * 0.75, fy + Math.sin(p * 1.257) * r * 0.6];
      disc(canvas, px, py, r * 0.62, blend(petal, [1, 1, 1], p * 0.05), 0.95, 0.9, 5);
    }
    disc(canvas, fx, fy, r * 0.42, heart, 1, 1, 5);
  }
}

/** Covers the foot of a subject with the material of the ground: blades of grass, snow or sand. */
export function paintFoot(stage: Stage, x: number, y: number, wide: number, distance: number, plane: number): void {
  const { canvas, light, ground } = stage;
  const { unit } = canvas;
  const random = stage.random.stream(`foot-${plane}`);
  const place = () => x + random.between(-0.5, 0.5) * wide;
  const drift = lit(hex(ground === 'snow' ? '#f1f5fb' : '#e2c28a'), light);
  if (ground === 'snow' || ground === 'sand')
    for (let i = 0; i < 22; i++) {
      const [row, radius] = [y + unit * random.between(1, 5), unit * random.between(3, 9)];
      disc(canvas, place(), row, radius, blend(drift, light.shadow, random.between(0, 0.22)), 0.5, 0.15);
    }
  if (ground === 'grass' || ground === 'flowers' || ground === 'forest')
    for (let i = 0; i < Math.min(90, wide / (2.2 * unit)); i++) {
      const tall = unit * random.between(5, 17) * (1.2 - distance * 2);
      const [shade, bend] = [random.between(0.05, 0.35), random.between(-0.4, 0.4)];
      paintBlade(stage, [place(), y + unit * 3], { tall, wide: unit * 1.5, bend, shade }, random);
    }
}

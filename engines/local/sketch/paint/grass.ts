/** Paints grass, whose blades are longer near the viewer, and flowers in it. */
import { disc, stack } from '../canvas.ts';
import { blend, hex, hsl } from '../colour.ts';
import type { Random } from '../random.ts';
import { lit, type Stage } from './stage.ts';

const [deep, pale] = [hex('#4f7a34'), hex('#a9c45c')];

/** A blade whose foot is at `x`, `y`; `wide` is half of its width there. */
type Blade = Readonly<Record<'x' | 'y' | 'tall' | 'wide' | 'bend' | 'shade', number>>;

/** Paints a blade of a random green that bends with its height. */
function paintBlade({ canvas, light }: Stage, { x, y, tall, wide, bend, shade }: Blade, random: Random): void {
  const colour = blend(lit(blend(deep, pale, random.next()), light), light.shadow, shade);
  const ends = (row: number) => {
    const k = (y - row) / tall;
    const [middle, half] = [x + bend * tall * k * k, Math.max(0.4, wide * (1 - k))];
    return [middle - half, middle + half] as const;
  };
  stack(canvas, y - tall, y, ends, colour, 5, 0.85);
}

/** Paints grass below `top`. @param flowers 0–1: half of it is the share of blades with a flower; 1 enlarges them */
export function paintGrass(stage: Stage, top: number, flowers: number): void {
  const { canvas, light } = stage;
  const { width, height, unit } = canvas;
  const random = stage.random.stream('grass');
  const total = Math.round(1500 * Math.max(0.4, width / height));
  const hues = [0.98, 0.13, 0.7, 0.98].map((hue) => hue + random.between(-0.08, 0.05));
  const wind = random.between(-0.4, 0.4) * (stage.brief.weather.has('wind') ? 2.4 : 1);
  const heart = lit(hex('#f6cf4a'), light);
  for (let i = 0; i < total; i++) {
    const t = (i / total) ** 0.75;
    const [x, y] = [random.next() * width, top + (height - top) * (0.06 + t * 1.02)];
    const tall = unit * (4 + 40 * t * t) * random.between(0.6, 1.3);
    const shade = random.between(0, 0.3) + (t > 0.8 ? 0.18 : 0);
    const bend = wind + random.between(-0.35, 0.35);
    paintBlade(stage, { x, y, tall, wide: unit * (0.6 + 1.7 * t), bend, shade }, random);
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

/** Covers the foot of a subject with blades if it stands in grass. */
export function paintFoot(stage: Stage, x: number, y: number, wide: number, distance: number, plane: number): void {
  const { canvas, ground } = stage;
  const { unit } = canvas;
  const random = stage.random.stream(`foot-${plane}`);
  const place = () => x + random.between(-0.5, 0.5) * wide;
  if (ground !== 'grass' && ground !== 'flowers' && ground !== 'forest') return;
  for (let i = 0; i < Math.min(90, wide / (2.2 * unit)); i++) {
    const tall = unit * random.between(5, 17) * (1.2 - distance * 2);
    const [shade, bend] = [random.between(0.05, 0.35), random.between(-0.4, 0.4)];
    paintBlade(stage, { x: place(), y: y + unit * 3, tall, wide: unit * 1.5, bend, shade }, random);
  }
}

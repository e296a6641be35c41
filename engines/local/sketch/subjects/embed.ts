/** Lets the ground close over a subject's feet: blades of grass, a drift of snow, a little sand. */
import { disc } from '../canvas.ts';
import { blend, hex } from '../colour.ts';
import { deepBlade, paintBlade, paleBlade } from '../paint/grass.ts';
import { lit, type Stage } from '../paint/stage.ts';
import type { Stamp } from './stamp.ts';

export function embed({ canvas, light, ground, ...stage }: Stage, { sprite, x, y, distance, plane }: Stamp): void {
  const random = stage.random.stream(`embed-${plane}`);
  const { unit } = canvas;
  const wide = sprite.width;
  const left = x - wide * 0.5;
  if (ground === 'grass' || ground === 'flowers' || ground === 'forest') {
    for (let i = 0; i < Math.min(90, wide / (2.2 * unit)); i++) {
      const foot = left + random.next() * wide;
      const tall = unit * random.between(5, 17) * (1.2 - distance * 2);
      const green = lit(blend(deepBlade, paleBlade, random.next() * 0.9), light);
      const c = blend(green, light.shadow, random.between(0.05, 0.35));
      paintBlade(canvas, foot, y + unit * 3, { tall, wide: unit * 1.5, bend: random.between(-0.4, 0.4) }, c);
    }
  } else if (ground === 'snow' || ground === 'sand') {
    const c = lit(hex(ground === 'snow' ? '#f1f5fb' : '#e2c28a'), light);
    for (let i = 0; i < 22; i++) {
      const [cx, cy] = [left + wide * (0.05 + 0.9 * random.next()), y + unit * random.between(1, 5)];
      disc(canvas, cx, cy, unit * random.between(3, 9), blend(c, light.shadow, random.between(0, 0.22)), 0.5, 0.15);
    }
  }
}

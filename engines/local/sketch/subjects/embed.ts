/** Lets the ground close over a subject's feet: blades of grass, a drift of snow, a little sand. */
import { disc, run } from '../canvas.ts';
import { blend, hex } from '../colour.ts';
import { lit, type Stage } from '../paint/stage.ts';
import type { Stamp } from './stamp.ts';

export function embed(stage: Stage, stamp: Stamp): void {
  const { canvas, light, ground } = stage;
  const random = stage.random.stream(`embed-${stamp.plane}`);
  const wide = stamp.sprite.width;
  const x0 = stamp.x - wide * 0.5;
  if (ground === 'grass' || ground === 'flowers' || ground === 'forest') {
    for (let i = 0; i < Math.min(90, wide / (2.2 * canvas.unit)); i++) {
      const x = x0 + random.next() * wide;
      const tall = canvas.unit * random.between(5, 17) * (1.2 - stamp.distance * 2);
      const c = blend(
        lit(blend(hex('#4f7a34'), hex('#9dbb58'), random.next()), light),
        light.shadow,
        random.between(0.05, 0.35),
      );
      const bend = random.between(-0.4, 0.4) * tall;
      for (let k = 0; k <= 1; k += Math.max(0.06, 1 / tall)) {
        const half = canvas.unit * 1.5 * (1 - k);
        run(
          canvas,
          Math.round(stamp.y + canvas.unit * 3 - tall * k),
          x + bend * k * k - half,
          x + bend * k * k + half,
          () => c,
          0.9,
          5,
        );
      }
    }
  } else if (ground === 'snow' || ground === 'sand') {
    const c = lit(hex(ground === 'snow' ? '#f1f5fb' : '#e2c28a'), light);
    for (let i = 0; i < 22; i++)
      disc(
        canvas,
        x0 + wide * (0.05 + 0.9 * random.next()),
        stamp.y + canvas.unit * random.between(1, 5),
        canvas.unit * random.between(3, 9),
        blend(c, light.shadow, random.between(0, 0.22)),
        0.5,
        0.15,
      );
  }
}

/** Paints abstract pictures: currents of colour, and discs and arcs around a point on the thirds. */
import { disc, each } from '../canvas.ts';
import { blend, hex, hsl, ramp, rampTable } from '../colour.ts';
import { fbm, field } from '../noise.ts';
import type { Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintAbstract({ canvas, brief, ...stage }: Stage): void {
  const { width, height, unit } = canvas;
  const random = stage.random.stream('abstract');
  const seed = random.fork();
  const hue = random.next();
  const own = [hsl(hue, 0.45, 0.16), hsl(hue + 0.08, 0.5, 0.42), hsl(hue + 0.5, 0.65, 0.62), hex('#f7efdf')];
  const palette = brief.palette ?? own;
  const f = 2.2 / Math.max(width, height);
  const swirl = field(canvas, Math.max(3, Math.round(4 * unit)), (x, y) => {
    const a = fbm(x * f, y * f, seed, 3) * 3.4;
    const b = fbm(x * f + a, y * f + 4, seed + 5, 4);
    return fbm(x * f + b * 2.6, y * f + a, seed + 9, 4);
  });
  const tones = rampTable(palette);
  each(canvas, (_r, _g, _b, _x, _y, i) => {
    const band = clamp(smoothstep(0.32, 0.68, swirl[i]!) * 0.92 + 0.06 * Math.sin(swirl[i]! * 64));
    canvas.plane[i] = Math.min(6, Math.floor(band * 7));
    return tones(band);
  });
  const [cx, cy] = [width * random.pick([0.33, 0.66]), height * random.pick([0.36, 0.62])];
  const reach = Math.min(width, height);
  for (let k = 0; k < 5; k++) {
    const r = reach * random.between(0.06, 0.24);
    const colour = blend(ramp(palette, random.next()), [1, 1, 1], 0.08);
    const [x, y] = [cx + random.between(-0.28, 0.28) * width, cy + random.between(-0.28, 0.28) * height];
    disc(canvas, x, y, r, colour, random.between(0.55, 0.92), 1, 7 + k);
  }
  for (let k = 0; k < 4; k++) {
    const r = reach * random.between(0.18, 0.42);
    const [from, sweep] = [random.between(0, 6.28), random.between(1.2, 4)];
    const colour = palette.at(random.chance(0.5) ? -1 : 0)!;
    for (let a = from; a < from + sweep; a += 0.9 / r)
      disc(canvas, cx + Math.cos(a) * r, cy + Math.sin(a) * r, unit * (1.4 + k), colour, 0.8, 1, 12);
  }
}

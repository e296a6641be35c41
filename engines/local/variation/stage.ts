/** Describes a photograph's horizon, lamp and light, which the illustrator's painters need. */
import type { Canvas } from '../sketch/canvas.ts';
import { lightOf } from '../sketch/paint/light.ts';
import type { Stage } from '../sketch/paint/stage.ts';
import type { Random } from '../sketch/random.ts';
import type { Sky } from './sky.ts';
import type { Wish } from './wish.ts';

const low = new Set(['sunset', 'dawn', 'golden', 'dusk']);
const moonlit = new Set(['night', 'aurora', 'neon']);

export function stageOf(canvas: Canvas, { brief, time }: Wish, sky: Sky | null, random: Random): Stage {
  const { width, height } = canvas;
  const r = random.stream('stage');
  const side = r.chance(0.5) ? 1 : -1;
  const horizon = sky?.horizon ?? height * 0.45;
  const covered = brief.weather.has('rain') || brief.time === 'storm' || brief.time === 'overcast';
  const moon = moonlit.has(brief.time) && (brief.lamps.has('moon') || brief.lamps.has('crescent'));
  const sun = !moonlit.has(brief.time) && (brief.lamps.has('sun') || (time !== null && low.has(time)));
  return {
    canvas,
    brief,
    light: lightOf(brief.time, brief.weather.has('fog')),
    random,
    horizon,
    waterTop: null,
    groundTop: horizon,
    ground: 'none',
    lamp: {
      x: width * (0.5 + side * r.between(0.14, 0.34)),
      y: horizon * (low.has(brief.time) ? r.between(0.6, 0.8) : r.between(0.2, 0.4)),
      radius: Math.min(width, height) * r.between(0.04, 0.055),
      visible: !covered && (moon || sun),
    },
    side,
  };
}

/** Sets the stage: horizon, water, ground and lamp, as the brief's scenes need them. */
import type { Canvas } from '../canvas.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import type { Scene } from '../read/vocabulary.ts';
import { lightOf } from './light.ts';
import type { Ground, Stage } from './stage.ts';

const grounds: Readonly<Partial<Record<Scene, Ground>>> = {
  mountains: 'grass',
  fuji: 'grass',
  sea: 'sand',
  forest: 'forest',
  desert: 'sand',
  city: 'street',
  meadow: 'grass',
  lake: 'grass',
  river: 'grass',
  village: 'grass',
  garden: 'flowers',
  winter: 'snow',
  jungle: 'forest',
  road: 'street',
  volcano: 'rock',
  moonscape: 'moon',
  sky: 'none',
  underwater: 'seabed',
  table: 'wood',
  room: 'wood',
};

export function setStage(canvas: Canvas, brief: Brief, random: Random): Stage {
  const has = (scene: Scene): boolean => brief.scenes.includes(scene);
  const r = random.stream('stage');
  const { width, height } = canvas;
  const indoor = has('table') || has('room');
  const water = !indoor && !has('underwater') && !has('space') && (has('sea') || has('lake') || has('river'));
  const horizon = height * (has('sky') ? 0.94 : has('moonscape') ? r.between(0.56, 0.64) : r.between(0.5, 0.6));
  const afloat = brief.subjects.some((s) => s.thing.place === 'water');
  const standing = brief.subjects.some((s) => s.thing.place === 'ground' || s.thing.place === 'table');
  const shore = water
    ? afloat && !standing
      ? r.between(0.93, 1.02)
      : standing
        ? r.between(0.72, 0.78)
        : r.between(0.8, 0.96)
    : 0;
  const groundTop = indoor
    ? height * r.between(0.6, 0.66)
    : has('underwater')
      ? height * 0.84
      : water
        ? height * shore
        : has('space') || has('abstract')
          ? height * 0.86
          : horizon + height * 0.035;
  const side = r.chance(0.5) ? 1 : -1;
  const shown = !brief.weather.has('rain') && brief.time !== 'storm' && brief.time !== 'overcast' && !has('space');
  const wantsMoon = brief.lamps.has('moon') || brief.lamps.has('crescent');
  const wantsSun =
    brief.lamps.has('sun') || (['sunset', 'dawn', 'golden'].includes(brief.time) && !brief.unlit.has('sun'));
  const dark = ['night', 'aurora', 'neon'].includes(brief.time);
  const low = brief.time === 'sunset' || brief.time === 'dawn' || (brief.time === 'neon' && !wantsMoon);
  const unit = Math.min(width, height);
  const lamp = {
    x: width * (0.5 + side * r.between(0.12, 0.3)),
    y: horizon * (low ? r.between(0.78, 0.92) : has('sky') ? 0.3 : r.between(0.2, 0.42)),
    radius: unit * (brief.time === 'neon' ? 0.12 : low ? 0.062 : 0.05) * r.between(0.85, 1.2),
    visible:
      shown &&
      (dark
        ? wantsMoon || (brief.time === 'neon' && !has('city'))
        : wantsSun || (brief.time === 'day' && r.chance(0.35) && !brief.unlit.has('sun'))),
  };
  const first = brief.scenes.find((s) => grounds[s] !== undefined) ?? 'meadow';
  const ground: Ground = has('winter')
    ? 'snow'
    : has('sea')
      ? 'sand'
      : has('garden') && !indoor
        ? 'flowers'
        : (grounds[indoor ? 'table' : first] ?? 'grass');
  return {
    canvas,
    brief,
    light: lightOf(brief.time, brief.weather.has('fog')),
    random,
    horizon,
    waterTop: water ? horizon : null,
    groundTop,
    ground,
    lamp,
    side,
  };
}

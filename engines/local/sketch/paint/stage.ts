/** The stage of a landscape: the positions of its horizon, water, ground and lamp. Painters work from back to front. */
import type { Canvas } from '../canvas.ts';
import { times, type Colour } from '../colour.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import type { Place, Scene, Time } from '../read/vocabulary.ts';
import { lightOf, type Light } from './light.ts';

export type Ground =
  'grass' | 'flowers' | 'snow' | 'sand' | 'rock' | 'street' | 'forest' | 'wood' | 'moon' | 'seabed' | 'none';

export interface Stage {
  readonly canvas: Canvas;
  readonly brief: Brief;
  readonly light: Light;
  readonly random: Random;
  /** Row of the horizon, and the first rows of water and ground. */
  readonly horizon: number;
  readonly waterTop: number | null;
  readonly groundTop: number;
  readonly ground: Ground;
  /** Position of the sun or moon. */
  readonly lamp: { readonly x: number; readonly y: number; readonly radius: number; readonly visible: boolean };
  /** −1 if the light comes from the left, 1 if it comes from the right. */
  readonly side: number;
}

/** Returns the colour of a thing under a light. */
export function lit(colour: Colour, light: Light): Colour {
  return times(colour, light.tint);
}

/** How far the edge of the ground rises and falls, as a share of the height. */
export const rolling = 0.035;

/** Returns the row at which layers behind water or ground can end, because the rows below are covered. */
export function hiddenFrom({ canvas, waterTop, groundTop, ground }: Stage): number {
  const from = waterTop ?? (ground === 'none' ? canvas.height : groundTop + rolling * canvas.height);
  return Math.min(canvas.height, Math.ceil(from) + 2);
}

/** The ground of scenes that are not on grass. */
const grounds: Partial<Record<Scene, Ground>> = {
  forest: 'forest',
  desert: 'sand',
  city: 'street',
  jungle: 'forest',
  road: 'street',
  volcano: 'rock',
  moonscape: 'moon',
  sky: 'none',
  underwater: 'seabed',
};

/** Places the horizon, water, ground and lamp for the scenes of the brief. */
export function setStage(canvas: Canvas, brief: Brief, random: Random): Stage {
  const has = (...scenes: Scene[]) => scenes.some((scene) => brief.scenes.includes(scene));
  const at = (...hours: Time[]) => hours.includes(brief.time);
  const holds = (...places: Place[]) => brief.subjects.some(({ thing }) => places.includes(thing.place));
  const r = random.stream('stage');
  const { width, height } = canvas;
  const indoor = has('table', 'room');
  const water = !indoor && !has('underwater', 'space') && has('sea', 'lake', 'river');
  const horizon = height * (has('sky') ? 0.94 : has('moonscape') ? r.between(0.56, 0.64) : r.between(0.5, 0.6));
  const groundTop = () => {
    if (indoor) return height * r.between(0.6, 0.66);
    if (has('underwater')) return height * 0.84;
    if (!water) return has('space', 'abstract') ? height * 0.86 : horizon + height * rolling;
    if (holds('ground', 'table')) return height * r.between(0.72, 0.78);
    return height * (holds('water') ? r.between(0.93, 1.02) : r.between(0.8, 0.96));
  };
  const ground = () => {
    if (has('winter')) return 'snow';
    if (has('sea')) return 'sand';
    if (indoor) return 'wood';
    if (has('garden')) return 'flowers';
    const first = brief.scenes.find((scene) => scene !== 'space' && scene !== 'abstract');
    return (first && grounds[first]) ?? 'grass';
  };
  const top = groundTop();
  const side = r.chance(0.5) ? 1 : -1;
  const moon = brief.lamps.has('moon') || brief.lamps.has('crescent');
  const low = at('sunset', 'dawn') || (at('neon') && !moon);
  const lamp = {
    x: width * (0.5 + side * r.between(0.12, 0.3)),
    y: horizon * (low ? r.between(0.78, 0.92) : has('sky') ? 0.3 : r.between(0.2, 0.42)),
    radius: Math.min(width, height) * (at('neon') ? 0.12 : low ? 0.062 : 0.05) * r.between(0.85, 1.2),
  };
  const shines = () => {
    if (brief.weather.has('rain') || at('storm', 'overcast') || has('space')) return false;
    if (at('night', 'aurora', 'neon')) return moon || (at('neon') && !has('city'));
    if (brief.lamps.has('sun')) return true;
    return !brief.unlit.has('sun') && (at('sunset', 'dawn', 'golden') || (at('day') && r.chance(0.35)));
  };
  return {
    canvas,
    brief,
    light: lightOf(brief.time, brief.weather.has('fog')),
    random,
    horizon,
    waterTop: water ? horizon : null,
    groundTop: top,
    ground: ground(),
    lamp: { ...lamp, visible: shines() },
    side,
  };
}

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
  /** Row of the horizon, and the first rows of water (null if there is none) and ground. */
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

/** Returns the row at which sky and ridges can end, because water or ground covers the rows below. */
export function hiddenFrom({ canvas: { height }, waterTop, groundTop, ground }: Stage): number {
  const from = waterTop ?? (ground === 'none' ? height : groundTop + rolling * height);
  return Math.min(height, Math.ceil(from) + 2);
}

/** The ground of scenes that are not on grass. If a brief has several, the first one in this table counts. */
const grounds: Partial<Record<Scene, Ground>> = {
  underwater: 'seabed',
  winter: 'snow',
  sea: 'sand',
  table: 'wood',
  room: 'wood',
  garden: 'flowers',
  sky: 'none',
  forest: 'forest',
  jungle: 'forest',
  desert: 'sand',
  city: 'street',
  road: 'street',
  volcano: 'rock',
  moonscape: 'moon',
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
    if (!water && !has('moonscape') && has('space', 'abstract')) return height * 0.86;
    if (!water) return horizon + height * rolling;
    if (holds('ground', 'table')) return height * r.between(0.72, 0.78);
    return height * (holds('water') ? r.between(0.93, 1.02) : r.between(0.8, 0.96));
  };
  const ground = Object.entries(grounds).find(([scene]) => has(scene as Scene))?.[1] ?? 'grass';
  const side = r.chance(0.5) ? 1 : -1;
  const moon = brief.lamps.has('moon') || brief.lamps.has('crescent');
  const low = at('sunset', 'dawn') || (at('neon') && !moon);
  const shines = () => {
    if (brief.weather.has('rain') || at('storm', 'overcast') || has('space')) return false;
    if (at('night', 'aurora', 'neon')) return moon || (at('neon') && !has('city'));
    if (brief.lamps.has('sun')) return true;
    return !brief.unlit.has('sun') && (at('sunset', 'dawn', 'golden') || (at('day') && r.chance(0.35)));
  };
  const lamp = {
    x: width * (0.5 + side * r.between(0.12, 0.3)),
    y: horizon * (low ? r.between(0.78, 0.92) : has('sky') ? 0.3 : r.between(0.2, 0.42)),
    radius: Math.min(width, height) * (at('neon') ? 0.12 : low ? 0.062 : 0.05) * r.between(0.85, 1.2),
    visible: shines(),
  };
  const light = lightOf(brief.time, brief.weather.has('fog'));
  const waterTop = water ? horizon : null;
  return { canvas, brief, light, random, horizon, waterTop, groundTop: groundTop(), ground, lamp, side };
}

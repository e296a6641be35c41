/** Composes the place: chooses its layers from the scenes of the brief and paints them from back to front. */
import { hex } from '../colour.ts';
import type { Scene } from '../read/vocabulary.ts';
import { paintAbstract } from './abstract.ts';
import { paintCottages, paintSkyline } from './city.ts';
import { paintCone } from './cone.ts';
import { paintPlanet, paintSpace } from './cosmos.ts';
import { paintDeep } from './deep.ts';
import { paintGrass } from './grass.ts';
import { paintGround } from './ground.ts';
import { paintHeavens } from './heavens.ts';
import { paintRoom, paintTable } from './interior.ts';
import { paintRidge, type Ridge } from './ridges.ts';
import { rolling, type Stage } from './stage.ts';
import { paintTrees, type Kind } from './trees.ts';
import { paintWater } from './water.ts';

/** Paints everything but the subjects and what falls from the sky. */
export function paintPlace(stage: Stage): void {
  const { canvas, brief, horizon } = stage;
  const { width, height } = canvas;
  const has = (scene: Scene): boolean => brief.scenes.includes(scene);
  const r = stage.random.stream('place');
  const ridge = (
    kind: Ridge['kind'],
    [base, rise, frequency, distance]: readonly [number, number, number, number],
    colour: string,
    plane: number,
    snow: boolean,
    name = `ridge-${plane}`,
  ): void => paintRidge(stage, { kind, base, rise, frequency, distance, colour: hex(colour), plane, snow, name });

  if (has('abstract') && brief.scenes.length === 1) return paintAbstract(stage);
  if (has('underwater')) return paintDeep(stage);
  if (has('table')) return paintTable(stage);
  if (has('room')) return paintRoom(stage);
  const small = Math.min(width, height);
  if (has('space')) {
    paintSpace(stage);
    const [x, planet] = [width * (0.5 + stage.side * 0.27), r.chance(0.9)];
    if (planet) paintPlanet(stage, x, height * r.between(0.25, 0.4), small * r.between(0.12, 0.22), 'planet');
    if (has('moonscape')) paintGround(stage, 'moon', height * 0.7, 4, 0.05);
    return;
  }
  const h = horizon / height;
  if (has('moonscape')) {
    paintSpace(stage);
    paintPlanet(stage, width * (0.5 + stage.side * 0.24), height * 0.26, small * 0.12, 'earth');
    ridge('hill', [h, 0.1, 3, 0.35], '#8d8b88', 2, false, 'rim');
    return paintGround(stage, 'moon', stage.groundTop, 4, 0.03);
  }
  paintHeavens(stage);
  if (has('sky')) return;

  // The background: mountains, dunes or hills, and a city.
  const [winter, volcano, wooded] = [has('winter'), has('volcano'), has('forest') || has('jungle')];
  const snow = winter || brief.weather.has('snow');
  const open = has('sea') && !has('mountains') && !volcano;
  const steep = has('mountains') || has('lake') || volcano || (winter && !open) || has('river');
  if (has('fuji')) paintCone(stage, 1);
  if (!has('fuji') && (steep || (has('road') && r.chance(0.5)))) {
    const alpine = has('mountains') || has('lake') || winter;
    const rise = has('mountains') ? r.between(0.44, 0.56) : r.between(0.34, 0.46);
    ridge('mountain', [h + 0.02, rise, r.between(1.6, 2.4), 0.56], volcano ? '#6b4a48' : '#7b86a0', 1, alpine);
    ridge('mountain', [h + 0.03, rise * 0.5, r.between(2.2, 3.2), 0.3], volcano ? '#4d3636' : '#6d7868', 2, snow);
  } else if (has('desert')) {
    ridge('dune', [h + 0.02, 0.13, 1.6, 0.6], '#d9a566', 1, false);
    ridge('dune', [h + 0.06, 0.12, 1.3, 0.25], '#e6b878', 2, false);
  } else if (!has('city') && !open) {
    ridge('hill', [h + 0.01, r.between(0.1, 0.17), 2.2, 0.7], '#86a08a', 1, snow);
    ridge('hill', [h + 0.03, r.between(0.08, 0.13), 2.8, 0.4], '#86a55a', 2, snow);
  } else if (open && r.chance(0.55)) ridge('hill', [h + 0.005, r.between(0.03, 0.08), 2.5, 0.72], '#7d8f9c', 1, snow);
  if (has('city')) {
    paintSkyline(stage, horizon + 2, 0.42, 0.75, 1);
    paintSkyline(stage, horizon + 2, 0.34, 0.4, 2);
    if (!stage.waterTop) paintSkyline(stage, stage.groundTop + 2, 0.24, 0.12, 3);
  }

  // The middle ground: trees and cottages along the horizon.
  const foot = (x: number) => horizon + height * (Math.sin((x / width) * 5 + stage.side) * 0.006 + 0.012);
  const evergreen = has('forest') || has('mountains') || snow || has('lake');
  const palms = has('jungle') || (has('sea') && r.chance(0.7));
  const kind: Kind = palms ? 'palm' : evergreen ? 'conifer' : 'leafy';
  const wide = Math.max(0.7, width / height);
  const trees = (
    [count, tall, distance]: readonly [number, number, number],
    plane: number,
    at: (x: number) => number,
    clearing = 0,
    which = kind,
  ): void => paintTrees(stage, { foot: at, count, tall, distance, kind: which, snow, plane, clearing });
  if (wooded) {
    const which = has('jungle') ? 'leafy' : kind;
    trees([Math.round(20 * wide), 0.3, 0.75], 2, foot, 0, which);
    trees([Math.round(14 * wide), 0.42, 0.42], 3, (x) => foot(x) + height * 0.03, 0.1, which);
  } else if (!open && !has('desert') && !has('city') && !volcano && !has('road')) {
    trees([Math.round(r.between(10, 26) * wide), r.between(0.06, 0.1), 0.5], 3, foot);
  }
  if (has('village')) paintCottages(stage, (x) => foot(x) + height * 0.02, 6, 0.085, 0.35, 3);

  // The foreground: water, ground, plants and buildings.
  const waves = brief.time === 'storm' || brief.weather.has('wind') ? 1.7 : 1;
  if (stage.waterTop !== null) paintWater(stage, horizon + 1, 4, has('sea') ? waves : 0.55);
  if (stage.groundTop < height) {
    paintGround(stage, stage.ground, stage.groundTop, 5, stage.waterTop === null ? 0.012 : rolling);
    const flowers: Partial<Record<Stage['ground'], number>> = { grass: 0.1, flowers: 1, forest: 0.04 };
    const blooming = flowers[stage.ground];
    if (blooming !== undefined) paintGrass(stage, stage.groundTop, blooming);
  }
  if (has('village')) paintCottages(stage, () => stage.groundTop + height * 0.05, 3, 0.15, 0.05, 5);
  if (wooded) {
    const near = [Math.round(7 * wide), 0.78, 0.08] as const;
    trees(near, 6, () => height * r.between(0.78, 0.92), 0.62, has('jungle') ? 'palm' : kind);
  } else if (stage.ground === 'grass' && stage.waterTop === null && r.chance(0.5))
    trees([2, 0.5, 0.1], 6, () => height * 0.86, 0.82);
}

/** Composes the place: chooses its layers from the scenes of the brief and paints them from back to front. */
import { hex } from '../colour.ts';
import type { Scene } from '../read/scenes.ts';
import { paintAbstract } from './abstract.ts';
import { paintCottages, paintSkyline } from './city.ts';
import { paintCone } from './cone.ts';
import { paintPlanet, paintSpace } from './cosmos.ts';
import { paintDeep } from './deep.ts';
import { paintGrass } from './grass.ts';
import { paintGround } from './ground.ts';
import { paintHeavens } from './heavens.ts';
import { paintRoom, paintTable } from './interior.ts';
import { paintRidge } from './ridges.ts';
import type { Stage } from './stage.ts';
import { paintTrees } from './trees.ts';
import { paintWater } from './water.ts';

/** Paints everything but the subjects and what falls from the sky. */
export function paintPlace(stage: Stage): void {
  const { canvas, brief, horizon } = stage;
  const { width, height } = canvas;
  const has = (scene: Scene): boolean => brief.scenes.includes(scene);
  const r = stage.random.stream('place');
  if (has('abstract') && brief.scenes.length === 1) return paintAbstract(stage);
  if (has('underwater')) return paintDeep(stage);
  if (has('table')) return paintTable(stage);
  if (has('room')) return paintRoom(stage);
  if (has('space')) {
    paintSpace(stage);
    if (r.chance(0.9))
      paintPlanet(
        stage,
        width * (0.5 + stage.side * 0.27),
        height * r.between(0.25, 0.4),
        Math.min(width, height) * r.between(0.12, 0.22),
        'planet',
      );
    if (has('moonscape')) paintGround(stage, 'moon', height * 0.7, 4, 0.05);
    return;
  }
  if (has('moonscape')) {
    paintSpace(stage);
    paintPlanet(stage, width * (0.5 + stage.side * 0.24), height * 0.26, Math.min(width, height) * 0.12, 'earth');
    paintRidge(stage, {
      kind: 'hill',
      base: horizon / height,
      rise: 0.1,
      frequency: 3,
      distance: 0.35,
      colour: hex('#8d8b88'),
      snow: false,
      plane: 2,
      name: 'rim',
    });
    return paintGround(stage, 'moon', stage.groundTop, 4, 0.03);
  }
  paintHeavens(stage);
  if (has('sky')) return;
  const h = horizon / height;
  const winter = has('winter');
  const snow = winter || brief.weather.has('snow');
  const ridge = (
    kind: 'mountain' | 'hill' | 'dune',
    base: number,
    rise: number,
    frequency: number,
    distance: number,
    colour: string,
    plane: number,
    capped = snow,
  ): Float32Array =>
    paintRidge(stage, {
      kind,
      base,
      rise,
      frequency,
      distance,
      colour: hex(colour),
      snow: capped,
      plane,
      name: `ridge-${plane}`,
    });

  if (has('fuji')) paintCone(stage, 1);
  const open = has('sea') && !has('mountains') && !has('volcano');
  if (
    !has('fuji') &&
    (has('mountains') ||
      has('lake') ||
      has('volcano') ||
      (winter && !open) ||
      has('river') ||
      (has('road') && r.chance(0.5)))
  ) {
    const alpine = has('mountains') || has('lake') || winter;
    const rise = has('mountains') ? r.between(0.44, 0.56) : r.between(0.34, 0.46);
    ridge('mountain', h + 0.02, rise, r.between(1.6, 2.4), 0.56, has('volcano') ? '#6b4a48' : '#7b86a0', 1, alpine);
    ridge('mountain', h + 0.03, rise * 0.5, r.between(2.2, 3.2), 0.3, has('volcano') ? '#4d3636' : '#6d7868', 2, snow);
  } else if (has('desert')) {
    ridge('dune', h + 0.02, 0.13, 1.6, 0.6, '#d9a566', 1, false);
    ridge('dune', h + 0.06, 0.12, 1.3, 0.25, '#e6b878', 2, false);
  } else if (!has('city') && !open) {
    ridge('hill', h + 0.01, r.between(0.1, 0.17), 2.2, 0.7, '#86a08a', 1);
    ridge('hill', h + 0.03, r.between(0.08, 0.13), 2.8, 0.4, '#86a55a', 2);
  } else if (open && r.chance(0.55)) ridge('hill', h + 0.005, r.between(0.03, 0.08), 2.5, 0.72, '#7d8f9c', 1);
  if (has('city')) {
    paintSkyline(stage, horizon + 2, 0.42, 0.75, 1);
    paintSkyline(stage, horizon + 2, 0.34, 0.4, 2);
    if (!stage.waterTop) paintSkyline(stage, stage.groundTop + 2, 0.24, 0.12, 3);
  }
  const foot = (x: number): number =>
    horizon + Math.sin((x / width) * 5 + stage.side) * height * 0.006 + height * 0.012;
  const kind =
    has('jungle') || (has('sea') && r.chance(0.7))
      ? 'palm'
      : has('forest') || has('mountains') || snow || has('lake')
        ? 'conifer'
        : 'leafy';
  const trees = (
    count: number,
    tall: number,
    distance: number,
    plane: number,
    at: (x: number) => number,
    clearing = 0,
    which: 'conifer' | 'leafy' | 'palm' = kind,
  ): void =>
    paintTrees(stage, { foot: at, count, tall, distance, kind: which, snow, plane, name: `trees-${plane}`, clearing });
  const wide = Math.max(0.7, width / height);
  if (has('forest') || has('jungle')) {
    trees(Math.round(20 * wide), 0.3, 0.75, 2, foot, 0, has('jungle') ? 'leafy' : kind);
    trees(Math.round(14 * wide), 0.42, 0.42, 3, (x) => foot(x) + height * 0.03, 0.1, has('jungle') ? 'leafy' : kind);
  } else if (!open && !has('desert') && !has('city') && !has('volcano') && !has('road')) {
    trees(Math.round(r.between(10, 26) * wide), r.between(0.06, 0.1), 0.5, 3, foot);
  }
  if (has('village')) paintCottages(stage, (x) => foot(x) + height * 0.02, 6, 0.085, 0.35, 3);
  if (stage.waterTop !== null)
    paintWater(
      stage,
      horizon + 1,
      4,
      has('sea') ? (brief.time === 'storm' || brief.weather.has('wind') ? 1.7 : 1) : 0.55,
    );
  if (stage.groundTop < height) {
    paintGround(stage, stage.ground, stage.groundTop, 5, stage.waterTop === null ? 0.012 : 0.035);
    if (stage.ground === 'grass' || stage.ground === 'flowers' || stage.ground === 'forest')
      paintGrass(stage, stage.groundTop, stage.ground === 'flowers' ? 1 : stage.ground === 'forest' ? 0.04 : 0.1, 5);
  }
  if (has('village')) paintCottages(stage, () => stage.groundTop + height * 0.05, 3, 0.15, 0.05, 5);
  if (has('forest') || has('jungle'))
    trees(
      Math.round(7 * wide),
      0.78,
      0.08,
      6,
      () => height * r.between(0.78, 0.92),
      0.62,
      has('jungle') ? 'palm' : kind,
    );
  else if (stage.ground === 'grass' && stage.waterTop === null && r.chance(0.5))
    trees(2, 0.5, 0.1, 6, () => height * 0.86, 0.82);
}

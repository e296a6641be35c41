/** Composes the place: chooses its layers from the scenes of the brief and paints them from back to front. */
import type { Scene } from '../read/vocabulary.ts';
import { paintAbstract } from './abstract.ts';
import { paintCottages, paintSkyline } from './city.ts';
import { paintPlanet, paintSpace } from './cosmos.ts';
import { paintDeep } from './deep.ts';
import { paintGrass } from './grass.ts';
import { paintGround, paintWater } from './ground.ts';
import { paintRoom, paintTable } from './interior.ts';
import { paintRidge } from './ridges.ts';
import { paintHeavens } from './sky.ts';
import { rolling, type Stage } from './stage.ts';
import { paintTrees, type Kind } from './trees.ts';

/** Paints everything except the subjects, fog, rain, snowfall and lightning. */
export function paintPlace(stage: Stage): void {
  const { canvas, brief, horizon, groundTop, waterTop } = stage;
  const { width, height } = canvas;
  const has = (...scenes: Scene[]) => scenes.some((scene) => brief.scenes.includes(scene));
  const r = stage.random.stream('place');
  if (has('abstract') && brief.scenes.length === 1) return paintAbstract(stage);
  if (has('underwater')) return paintDeep(stage);
  if (has('table')) return paintTable(stage);
  if (has('room')) return paintRoom(stage);
  if (has('space', 'moonscape')) {
    paintSpace(stage);
    paintPlanet(stage);
    if (has('moonscape')) paintGround(stage, 'moon', groundTop, 4, 0.04);
    return;
  }
  paintHeavens(stage);
  if (has('sky')) return;
  const h = horizon / height;

  // The background: mountains, dunes or hills, and a city.
  const [winter, volcano, wooded] = [has('winter'), has('volcano'), has('forest', 'jungle')];
  const snow = winter || brief.weather.has('snow');
  const open = has('sea') && !has('mountains') && !volcano;
  const steep = has('mountains', 'lake', 'river') || volcano || (winter && !open);
  if (has('fuji')) paintRidge(stage, 'cone', [h, 0.36, 1.6, 0.3], '#5f7398', 1, true);
  if (!has('fuji') && (steep || (has('road') && r.chance(0.5)))) {
    const rise = has('mountains') ? r.between(0.44, 0.56) : r.between(0.34, 0.46);
    const [far, near] = volcano ? ['#6b4a48', '#4d3636'] : ['#7b86a0', '#6d7868'];
    const capped = winter || has('mountains', 'lake');
    paintRidge(stage, 'mountain', [h + 0.02, rise, r.between(1.6, 2.4), 0.56], far, 1, capped);
    paintRidge(stage, 'mountain', [h + 0.03, rise * 0.5, r.between(2.2, 3.2), 0.3], near, 2, snow);
  } else if (has('desert')) {
    paintRidge(stage, 'dune', [h + 0.02, 0.13, 1.6, 0.6], '#d9a566', 1, false);
    paintRidge(stage, 'dune', [h + 0.06, 0.12, 1.3, 0.25], '#e6b878', 2, false);
  } else if (!has('city') && !open) {
    paintRidge(stage, 'hill', [h + 0.01, r.between(0.1, 0.17), 2.2, 0.7], '#86a08a', 1, snow);
    paintRidge(stage, 'hill', [h + 0.03, r.between(0.08, 0.13), 2.8, 0.4], '#86a55a', 2, snow);
  } else if (open && r.chance(0.55))
    paintRidge(stage, 'hill', [h + 0.005, r.between(0.03, 0.08), 2.5, 0.72], '#7d8f9c', 1, snow);
  if (has('city')) {
    paintSkyline(stage, horizon + 2, 0.42, 0.75, 1);
    paintSkyline(stage, horizon + 2, 0.34, 0.4, 2);
    if (waterTop === null) paintSkyline(stage, groundTop + 2, 0.24, 0.12, 3);
  }

  // The middle ground: trees and cottages along the horizon.
  const foot = (x: number) => horizon + height * (Math.sin((x / width) * 5 + stage.side) * 0.006 + 0.012);
  const palms = has('jungle') || (has('sea') && r.chance(0.7));
  const kind: Kind = palms ? 'palm' : snow || has('forest', 'mountains', 'lake') ? 'conifer' : 'leafy';
  const wide = Math.max(0.7, width / height);
  if (wooded) {
    const which = has('jungle') ? 'leafy' : kind;
    paintTrees(stage, which, [Math.round(20 * wide), 0.3, 0.75], 2, foot, snow);
    const nearer = (x: number) => foot(x) + height * 0.03;
    paintTrees(stage, which, [Math.round(14 * wide), 0.42, 0.42, 0.1], 3, nearer, snow);
  } else if (!open && !volcano && !has('desert', 'city', 'road')) {
    paintTrees(stage, kind, [Math.round(r.between(10, 26) * wide), r.between(0.06, 0.1), 0.5], 3, foot, snow);
  }
  if (has('village')) paintCottages(stage, [6, 0.085, 0.35], 3, (x) => foot(x) + height * 0.02);

  // The foreground: water, ground, plants and buildings.
  const rough = brief.time === 'storm' || brief.weather.has('wind') ? 1.7 : 1;
  if (waterTop !== null) paintWater(stage, horizon + 1, 4, has('sea') ? rough : 0.55);
  if (groundTop < height) {
    paintGround(stage, stage.ground, groundTop, 5, waterTop === null ? 0.012 : rolling);
    const flowers: Partial<Record<Stage['ground'], number>> = { grass: 0.1, flowers: 1, forest: 0.04 };
    const blooming = flowers[stage.ground];
    if (blooming !== undefined) paintGrass(stage, groundTop, blooming);
  }
  if (has('village')) paintCottages(stage, [3, 0.15, 0.05], 5, () => groundTop + height * 0.05);
  if (wooded) {
    const near = () => height * r.between(0.78, 0.92);
    paintTrees(stage, kind, [Math.round(7 * wide), 0.78, 0.08, 0.62], 6, near, snow);
  } else if (stage.ground === 'grass' && waterTop === null && r.chance(0.5))
    paintTrees(stage, kind, [2, 0.5, 0.1, 0.82], 6, () => height * 0.86, snow);
}

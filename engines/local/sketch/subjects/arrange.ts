/** Decides where subjects stand and how large they are, by the rule of thirds and their kind. */
import { clamp } from '../../pixels/range.ts';
import { paintTree } from '../paint/trees.ts';
import type { Stage } from '../paint/stage.ts';
import type { Place, Thing } from '../read/things.ts';
import { paintReflection, paintShadow, paintStamp, shade, type Stamp } from './stamp.ts';
import { embed } from './embed.ts';
import { rasterise } from './sprite.ts';

const emitters = new Set('fire red-paper-lantern candle diya-lamp light-bulb jack-o-lantern'.split(' '));
/** Their writing or rig would read wrong in a mirror. */
const fixed = new Set(
  'ambulance fire-engine taxi police-car hotel school books watch alarm-clock mantelpiece-clock statue-of-liberty'.split(
    ' ',
  ),
);

/** Painted, not stamped, where they stand in a landscape. */
const trees: Readonly<Record<string, 'conifer' | 'leafy' | 'palm' | undefined>> = {
  'deciduous-tree': 'leafy',
  'evergreen-tree': 'conifer',
  'palm-tree': 'palm',
};

const cutFlowers = new Set(
  'tulip rose sunflower hibiscus blossom hyacinth bouquet white-flower cherry-blossom'.split(' '),
);

interface Spot {
  readonly thing: Thing;
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly tall: number;
  readonly distance: number;
  readonly place: Place;
  readonly tint: Stamp['tint'];
}

/** Where a kind of thing really goes in this picture. */
function placeIn(stage: Stage, thing: Thing): Place {
  const { scenes } = stage.brief;
  if (scenes.includes('underwater') || scenes.includes('space'))
    return scenes.includes('moonscape') && thing.place === 'ground' ? 'ground' : 'deep';
  if (scenes.includes('sky') && thing.place !== 'water') return 'sky';
  if (scenes.includes('table') || scenes.includes('room')) return 'table';
  if (thing.place === 'deep') return stage.waterTop === null ? 'ground' : 'water';
  if (thing.place === 'water') return stage.waterTop === null ? 'ground' : 'water';
  if ((thing.name === 'swan' || thing.name === 'duck' || thing.name === 'goose') && stage.waterTop !== null)
    return 'water';
  return thing.place;
}

function spots(stage: Stage): Spot[] {
  const { canvas, brief, horizon } = stage;
  const random = stage.random.stream('spots');
  const { width, height } = canvas;
  const vase = brief.subjects.some((s) => s.thing.name === 'vase');
  const total = brief.subjects.reduce((n, s) => n + (vase && cutFlowers.has(s.thing.name) ? 0 : s.count), 0);
  const crowd = total > 1 ? total ** -0.36 : 1;
  const list: Spot[] = [];
  const lanes = random.chance(0.5) ? 1 : -1;
  brief.subjects.forEach((subject, order) => {
    const place = placeIn(stage, subject.thing);
    const alone = brief.subjects.length === 1 && subject.count === 1;
    const kinds = brief.subjects.length;
    for (let n = 0; n < subject.count; n++) {
      const small = Math.min(width * 1.15, height);
      let tall = small * 0.42 * subject.thing.size ** 0.62 * subject.scale * (kinds > 1 ? 0.82 : 1) * crowd;
      const third = 0.5 + lanes * 0.14;
      const spread = (n + 0.5 + random.between(-0.22, 0.22)) / subject.count;
      let u = alone
        ? third
        : subject.count === 1
          ? 0.5 + lanes * (order % 2 === 0 ? 0.2 : -0.22) * (1 + Math.floor(order / 2) * 0.35)
          : 0.12 + spread * 0.76;
      let y: number;
      let distance = 0.05;
      if (place === 'sky') {
        tall *= subject.thing.place === 'sky' ? 1.05 : 0.9;
        const low = subject.thing.size < 0.5 && stage.waterTop === null;
        y = horizon * (alone ? (low ? 1.12 : 0.66) : low ? random.between(0.5, 1.4) : random.between(0.34, 0.82));
        if (low) tall *= 1.2;
        if (stage.brief.scenes.includes('sky')) y = height * random.between(0.45, 0.72);
        const far = subject.count > 1 ? random.next() : 0.2;
        tall *= 1 - far * 0.45;
        distance = 0.1 + far * 0.35;
        y = Math.max(y, tall * 1.06);
      } else if (place === 'deep') {
        y = height * (0.5 + random.between(-0.28, 0.26)) + tall / 2;
        if (alone) y = height * 0.56 + tall / 2;
        distance = subject.count > 1 ? random.next() * 0.35 : 0.04;
        tall *= 1 - distance;
        y = Math.min(y, height * 0.94);
        if (subject.thing.name === 'coral' || subject.thing.name === 'crab') y = height * random.between(0.9, 0.97);
      } else if (place === 'water') {
        const near = subject.count === 1 ? 0.42 : ((n * 0.618 + 0.2) % 1) * 0.75 + 0.12;
        const water = Math.min(stage.groundTop, height) - horizon;
        y = horizon + water * (0.1 + near * 0.62);
        tall *= 0.5 + near * 0.75;
        distance = clamp(0.42 - near * 0.45);
      } else if (place === 'table') {
        const near = subject.count === 1 && kinds === 1 ? 0.45 : random.between(0.24, 0.72);
        y = stage.groundTop + (height - stage.groundTop) * near;
        tall *= alone ? 1.25 : 1.02;
        if (alone) u = 0.5 + lanes * 0.07;
        distance = 0;
      } else {
        const front = Math.max(stage.groundTop, horizon);
        const large = subject.thing.size >= 2;
        const near = large
          ? 0.12 + random.next() * 0.1
          : subject.count === 1
            ? 0.5 + 0.18 * (order % 2)
            : ((n * 0.618 + 0.3) % 1) * 0.62 + 0.22;
        y = front + (height - front) * near;
        if (subject.count > 1) tall *= 0.62 + near * 0.7;
        if (!large && front > height * 0.7) tall *= 0.9;
        distance = large ? 0.2 : clamp(0.28 - near * 0.35);
      }
      if (trees[subject.thing.name] && place === 'ground') {
        tall *= subject.count > 1 ? 1.3 : 1.75;
        // A single tree gives the others its shade.
        if (kinds > 1 && subject.count === 1)
          u = 0.5 + lanes * 0.2 * (order === 0 ? 1 : -1) + lanes * (order === 0 ? -1 : 1) * 0.3;
        y = Math.max(stage.groundTop, horizon) + (height - Math.max(stage.groundTop, horizon)) * 0.3;
      }
      u = clamp(u, 0.1, 0.9);
      list.push({ thing: subject.thing, index: n, x: u * width, y, tall, distance, place, tint: subject.tint });
    }
  });
  return intoVase(list).sort((a, b) => (a.place === 'sky' ? 0 : 1) - (b.place === 'sky' ? 0 : 1) || a.y - b.y);
}

/** Cut flowers beside a vase stand in it. */
function intoVase(list: readonly Spot[]): Spot[] {
  const vase = list.find((spot) => spot.thing.name === 'vase');
  if (!vase) return [...list];
  const stems = list.filter((spot) => cutFlowers.has(spot.thing.name));
  return list.map((spot) => {
    const n = stems.indexOf(spot);
    if (n < 0) return spot;
    const off = n - (stems.length - 1) / 2;
    return {
      ...spot,
      x: vase.x + off * vase.tall * 0.27,
      y: vase.y - vase.tall * (0.72 - Math.abs(off) * 0.06),
      tall: vase.tall * 0.72,
      place: 'sky',
    };
  });
}

export async function paintSubjects(stage: Stage): Promise<void> {
  const random = stage.random.stream('subjects');
  let plane = 16;
  for (const spot of spots(stage)) {
    const tree = trees[spot.thing.name];
    if (tree && spot.place === 'ground') {
      paintTree(stage, tree, spot.x, spot.y, spot.tall, plane, plane++);
      continue;
    }
    const sprite = await rasterise(spot.thing.name, spot.tall, random.integer(0, 4));
    if (!sprite) continue;
    const flip =
      !fixed.has(spot.thing.name) && (spot.x < stage.canvas.width * 0.5 ? random.chance(0.8) : random.chance(0.2));
    const sunk =
      spot.place === 'water'
        ? spot.thing.name === 'desert-island'
          ? 0
          : 0.05
        : stage.ground === 'snow' && spot.place === 'ground'
          ? 0.03
          : 0;
    const stamp: Stamp = {
      sprite,
      x: spot.x,
      y: spot.y,
      flip,
      distance: spot.distance,
      tint: spot.tint,
      glows: emitters.has(spot.thing.name),
      plane: plane++,
      side: stage.side,
      seed: random.fork(),
      sunk,
    };
    const pixels = shade(stamp, stage.light);
    if (spot.place === 'water') paintReflection(stage.canvas, stamp, stage.light, pixels);
    if (spot.place === 'ground' || spot.place === 'table') paintShadow(stage.canvas, stamp, stage.light);
    paintStamp(stage.canvas, stamp, stage.light, pixels);
    if (spot.place === 'ground') embed(stage, stamp);
  }
}

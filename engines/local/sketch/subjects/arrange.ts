/** Decides where subjects stand and how large they are, by the rule of thirds and their kind; then paints them. */
import { clamp } from '../../pixels/range.ts';
import { paintFoot } from '../paint/grass.ts';
import { paintTree, type Kind } from '../paint/trees.ts';
import type { Stage } from '../paint/stage.ts';
import type { Random } from '../random.ts';
import type { Subject } from '../read/brief.ts';
import type { Place, Thing } from '../read/vocabulary.ts';
import { paintReflection, paintShadow, paintStamp, shade, type Stamp } from './stamp.ts';
import { rasterise } from './sprite.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const emitters = set('fire red-paper-lantern candle diya-lamp light-bulb jack-o-lantern');
/** Things that must not be mirrored, because of their writing or shape. */
const fixed = set(
  'ambulance fire-engine taxi police-car hotel school books watch alarm-clock mantelpiece-clock statue-of-liberty',
);
const cutFlowers = set('tulip rose sunflower hibiscus blossom hyacinth bouquet white-flower cherry-blossom');
const swimmers = set('swan duck goose');
const bottomDwellers = set('coral crab');

/** Trees, which are painted instead of drawn from an icon if they stand on the ground. */
const trees: Readonly<Record<string, Kind | undefined>> = {
  'deciduous-tree': 'leafy',
  'evergreen-tree': 'conifer',
  'palm-tree': 'palm',
};

interface Spot {
  readonly thing: Thing;
  readonly place: Place;
  readonly tint: Stamp['tint'];
  /** Position of the middle of the foot. */
  readonly x: number;
  readonly y: number;
  readonly tall: number;
  /** 0 near – 1 far. */
  readonly distance: number;
}

/** Returns the place of a thing in this picture. */
function placeIn({ brief: { scenes }, waterTop }: Stage, { place, name }: Thing): Place {
  if (scenes.includes('underwater') || scenes.includes('space'))
    return scenes.includes('moonscape') && place === 'ground' ? 'ground' : 'deep';
  if (scenes.includes('sky') && place !== 'water') return 'sky';
  if (scenes.includes('table') || scenes.includes('room')) return 'table';
  if (place === 'deep' || place === 'water') return waterTop === null ? 'ground' : 'water';
  return swimmers.has(name) && waterTop !== null ? 'water' : place;
}

/**
 * Returns the row, height and distance of the `n`th thing of a subject. `alone` says whether the picture has no other.
 */
function standAt(
  stage: Stage,
  place: Place,
  { subject: { thing, count }, order, n, alone, tall }: Item,
  random: Random,
): Pick<Spot, 'y' | 'tall' | 'distance'> {
  const { horizon, groundTop, waterTop, brief } = stage;
  const { height } = stage.canvas;
  // Multiples of the golden ratio spread the things of one subject evenly between near and far.
  const spread = (offset: number) => (n * 0.618 + offset) % 1;
  if (place === 'sky') {
    const low = thing.size < 0.5 && waterTop === null;
    const free = () => (low ? random.between(0.5, 1.4) : random.between(0.34, 0.82));
    const level = horizon * (alone ? (low ? 1.12 : 0.66) : free());
    const y = brief.scenes.includes('sky') ? height * random.between(0.45, 0.72) : level;
    const far = count > 1 ? random.next() : 0.2;
    const size = tall * (thing.place === 'sky' ? 1.05 : 0.9) * (low ? 1.2 : 1) * (1 - far * 0.45);
    return { y: Math.max(y, size * 1.06), tall: size, distance: 0.1 + far * 0.35 };
  }
  if (place === 'deep') {
    const middle = height * (0.5 + (alone ? 0.06 : random.between(-0.28, 0.26)));
    const distance = count > 1 ? random.next() * 0.35 : 0.04;
    const floor = bottomDwellers.has(thing.name) ? height * random.between(0.9, 0.97) : null;
    return { y: floor ?? Math.min(middle + tall / 2, height * 0.94), tall: tall * (1 - distance), distance };
  }
  if (place === 'water') {
    const near = count === 1 ? 0.42 : spread(0.2) * 0.75 + 0.12;
    const y = horizon + (Math.min(groundTop, height) - horizon) * (0.1 + near * 0.62);
    return { y, tall: tall * (0.5 + near * 0.75), distance: clamp(0.42 - near * 0.45) };
  }
  if (place === 'table') {
    const near = count === 1 && brief.subjects.length === 1 ? 0.45 : random.between(0.24, 0.72);
    return { y: groundTop + (height - groundTop) * near, tall: tall * (alone ? 1.25 : 1.02), distance: 0 };
  }
  const front = Math.max(groundTop, horizon);
  const large = thing.size >= 2;
  const free = count === 1 ? 0.5 + 0.18 * (order % 2) : spread(0.3) * 0.62 + 0.22;
  const near = large ? 0.12 + random.next() * 0.1 : free;
  const distance = large ? 0.2 : clamp(0.28 - near * 0.35);
  const size = tall * (count > 1 ? 0.62 + near * 0.7 : 1) * (!large && front > height * 0.7 ? 0.9 : 1);
  if (trees[thing.name]) return { y: front + (height - front) * 0.3, tall: size * (count > 1 ? 1.3 : 1.75), distance };
  return { y: front + (height - front) * near, tall: size, distance };
}

/** A thing of a subject before it is placed. */
interface Item {
  readonly subject: Subject;
  /** Index of the subject among all subjects, and of the thing within its subject. */
  readonly order: number;
  readonly n: number;
  readonly alone: boolean;
  readonly tall: number;
}

/** Returns the spots of all subjects from back to front. */
function spots(stage: Stage): Spot[] {
  const { canvas, brief } = stage;
  const random = stage.random.stream('spots');
  const { width, height } = canvas;
  const vase = brief.subjects.some((s) => s.thing.name === 'vase');
  const total = brief.subjects.reduce((n, s) => n + (vase && cutFlowers.has(s.thing.name) ? 0 : s.count), 0);
  const crowd = total > 1 ? total ** -0.36 : 1;
  const lanes = random.chance(0.5) ? 1 : -1;
  const kinds = brief.subjects.length;
  const size = Math.min(width * 1.15, height) * 0.42 * (kinds > 1 ? 0.82 : 1) * crowd;
  const list = brief.subjects.flatMap((subject, order) => {
    const { thing, count, tint } = subject;
    const place = placeIn(stage, thing);
    const alone = kinds === 1 && count === 1;
    // A single tree stands near the other subjects, as if it gave them shade.
    const shading = trees[thing.name] && place === 'ground' && kinds > 1 && count === 1;
    return Array.from({ length: count }, (_, n): Spot => {
      const row = 0.12 + ((n + 0.5 + random.between(-0.22, 0.22)) / count) * 0.76;
      const paired = (order % 2 === 0 ? 0.2 : -0.22) * (1 + Math.floor(order / 2) * 0.35);
      const off = alone ? (place === 'table' ? 0.07 : 0.14) : shading ? (order === 0 ? -0.1 : 0.1) : paired;
      const u = count === 1 ? 0.5 + lanes * off : row;
      const tall = size * thing.size ** 0.62 * subject.scale;
      const standing = standAt(stage, place, { subject, order, n, alone, tall }, random);
      return { thing, x: clamp(u, 0.1, 0.9) * width, ...standing, place, tint };
    });
  });
  return intoVase(list).sort((a, b) => Number(b.place === 'sky') - Number(a.place === 'sky') || a.y - b.y);
}

/** Puts cut flowers beside a vase into it. */
function intoVase(list: Spot[]): Spot[] {
  const vase = list.find((spot) => spot.thing.name === 'vase');
  const stems = list.filter((spot) => cutFlowers.has(spot.thing.name));
  return list.map((spot) => {
    const n = stems.indexOf(spot);
    if (!vase || n < 0) return spot;
    const off = n - (stems.length - 1) / 2;
    const [x, y] = [vase.x + off * vase.tall * 0.27, vase.y - vase.tall * (0.72 - Math.abs(off) * 0.06)];
    return { ...spot, x, y, tall: vase.tall * 0.72, place: 'sky' };
  });
}

function sunkOf({ ground }: Stage, { place, thing }: Spot): number {
  if (place === 'water') return thing.name === 'desert-island' ? 0 : 0.05;
  return ground === 'snow' && place === 'ground' ? 0.03 : 0;
}

export async function paintSubjects(stage: Stage): Promise<void> {
  const { canvas, light, side } = stage;
  const random = stage.random.stream('subjects');
  let plane = 16;
  for (const spot of spots(stage)) {
    const { thing, x, y, tall, distance, tint, place } = spot;
    const tree = trees[thing.name];
    if (tree && place === 'ground') {
      paintTree(stage, tree, x, y, tall, plane++);
      continue;
    }
    const sprite = await rasterise(thing.name, tall, random.integer(0, 4));
    if (!sprite) continue;
    // Most things face the middle of the picture.
    const flip = !fixed.has(thing.name) && random.chance(x < canvas.width * 0.5 ? 0.8 : 0.2);
    const placed = { sprite, x, y, flip, distance, tint, side, plane: plane++, sunk: sunkOf(stage, spot) };
    const stamp: Stamp = { ...placed, glows: emitters.has(thing.name), seed: random.fork() };
    const pixels = shade(stamp, light);
    if (place === 'water') paintReflection(canvas, stamp, light, pixels);
    if (place === 'ground' || place === 'table') paintShadow(canvas, stamp, light);
    paintStamp(canvas, stamp, light, pixels);
    if (place === 'ground') paintFoot(stage, x, y, sprite.width, distance, stamp.plane);
  }
}

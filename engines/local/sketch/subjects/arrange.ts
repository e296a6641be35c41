/** Decides where subjects stand and how large they are, by the rule of thirds and their kind; then paints them. */
import { clamp } from '../../pixels/range.ts';
import { paintFoot } from '../paint/grass.ts';
import { paintTree, type Kind } from '../paint/trees.ts';
import type { Stage } from '../paint/stage.ts';
import type { Random } from '../random.ts';
import type { Subject } from '../read/brief.ts';
import { isKind, type Place, type Thing } from '../read/vocabulary.ts';
import { paintReflection, paintShadow, paintStamp, shade, type Stamp } from './stamp.ts';
import { rasterise } from './drawings.ts';

/** Trees, which are painted instead of drawn from an icon if they stand on the ground. */
const trees: Readonly<Record<string, Kind | undefined>> = {
  'deciduous-tree': 'leafy',
  'evergreen-tree': 'conifer',
  'palm-tree': 'palm',
};

/** A thing at its place in the picture. */
interface Spot extends Pick<Stamp, 'x' | 'y' | 'tint' | 'distance'> {
  readonly thing: Thing;
  readonly place: Place;
  readonly tall: number;
}

/** Returns the kind of place where a thing stands in this picture, which can differ from its usual one. */
function placeIn({ brief: { scenes }, waterTop }: Stage, { place, name }: Thing): Place {
  if (scenes.includes('underwater') || scenes.includes('space'))
    return scenes.includes('moonscape') && place === 'ground' ? 'ground' : 'deep';
  if (scenes.includes('sky') && place !== 'water') return 'sky';
  if (scenes.includes('table') || scenes.includes('room')) return 'table';
  if (place === 'deep' || place === 'water') return waterTop === null ? 'ground' : 'water';
  return isKind('swimmers', name) && waterTop !== null ? 'water' : place;
}

/** Returns where the `n`th thing of the subject with index `order` stands; `alone` says that there is no other. */
function standAt(
  { horizon, groundTop, waterTop, canvas: { height } }: Stage,
  place: Place,
  { thing, count }: Subject,
  { order, n, alone, tall }: { order: number; n: number; alone: boolean; tall: number },
  random: Random,
): Pick<Spot, 'y' | 'tall' | 'distance'> {
  // Multiples of the golden ratio spread the things of one subject evenly between near and far.
  const spread = (offset: number) => (n * 0.618 + offset) % 1;
  if (place === 'sky') {
    const low = thing.size < 0.5 && waterTop === null;
    const free = () => (low ? random.between(0.5, 1.4) : random.between(0.34, 0.82));
    const level = alone ? (low ? 1.12 : 0.66) : free();
    const far = count > 1 ? random.next() : 0.2;
    const size = tall * (low ? 1.2 : 1) * (1 - far * 0.45);
    return { y: Math.max(horizon * level, size * 1.06), tall: size, distance: 0.1 + far * 0.35 };
  }
  if (place === 'deep') {
    const middle = height * (0.5 + (alone ? 0.06 : random.between(-0.28, 0.26)));
    const distance = count > 1 ? random.next() * 0.35 : 0.04;
    const floor = isKind('bottom dwellers', thing.name) ? height * random.between(0.9, 0.97) : null;
    return { y: floor ?? Math.min(middle + tall / 2, height * 0.94), tall: tall * (1 - distance), distance };
  }
  if (place === 'water') {
    const near = count === 1 ? 0.42 : spread(0.2) * 0.75 + 0.12;
    const y = horizon + (Math.min(groundTop, height) - horizon) * (0.1 + near * 0.62);
    return { y, tall: tall * (0.5 + near * 0.75), distance: clamp(0.42 - near * 0.45) };
  }
  if (place === 'table') {
    const near = alone ? 0.45 : random.between(0.24, 0.72);
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

/** Returns the spots of all subjects from back to front. */
function spots(stage: Stage): Spot[] {
  const { canvas, brief } = stage;
  const random = stage.random.stream('spots');
  const { width, height } = canvas;
  const inVase = brief.subjects.some(({ thing }) => thing.name === 'vase');
  const isHeld = ({ thing }: Subject) => inVase && isKind('cut flowers', thing.name);
  const total = brief.subjects.reduce((sum, subject) => sum + (isHeld(subject) ? 0 : subject.count), 0);
  const alone = total === 1 && brief.subjects.length === 1;
  const direction = random.chance(0.5) ? 1 : -1;
  const size = Math.min(width * 1.15, height) * 0.42 * (brief.subjects.length > 1 ? 0.82 : 1) * total ** -0.36;
  const list = brief.subjects.flatMap((subject, order) => {
    const { thing, count, tint } = subject;
    const place = placeIn(stage, thing);
    return Array.from({ length: count }, (_, n): Spot => {
      const row = 0.12 + ((n + 0.5 + random.between(-0.22, 0.22)) / count) * 0.76;
      const paired = (order % 2 === 0 ? 0.2 : -0.22) * (1 + Math.floor(order / 2) * 0.35);
      const off = alone ? (place === 'table' ? 0.07 : 0.14) : paired;
      const u = count === 1 ? 0.5 + direction * off : row;
      const tall = size * thing.size ** 0.62 * subject.scale;
      const stand = standAt(stage, place, subject, { order, n, alone, tall }, random);
      return { thing, x: clamp(u, 0.1, 0.9) * width, ...stand, place, tint };
    });
  });
  return intoVase(list).sort((a, b) => Number(b.place === 'sky') - Number(a.place === 'sky') || a.y - b.y);
}

/** Puts cut flowers into the vase, if there is one. Their place `sky` draws them behind it and without a shadow. */
function intoVase(list: Spot[]): Spot[] {
  const vase = list.find((spot) => spot.thing.name === 'vase');
  const stems = list.filter((spot) => isKind('cut flowers', spot.thing.name));
  return list.map((spot) => {
    const n = stems.indexOf(spot);
    if (!vase || n < 0) return spot;
    const off = n - (stems.length - 1) / 2;
    const [x, y] = [vase.x + off * vase.tall * 0.27, vase.y - vase.tall * (0.72 - Math.abs(off) * 0.06)];
    return { ...spot, x, y, tall: vase.tall * 0.72, place: 'sky' };
  });
}

export async function paintSubjects(stage: Stage): Promise<void> {
  const { canvas, light, side, ground } = stage;
  const random = stage.random.stream('subjects');
  for (const [n, { thing, x, y, tall, distance, tint, place }] of spots(stage).entries()) {
    const plane = 16 + n;
    const tree = trees[thing.name];
    if (tree && place === 'ground') {
      const standing = { x, foot: y, tall, distance: 0, plane, snow: ground === 'snow' };
      paintTree(stage, stage.random.stream(`tree-${plane}`), tree, standing);
      continue;
    }
    const sprite = await rasterise(thing.name, tall, random.integer(0, 4));
    if (!sprite) continue;
    // Most things face the middle of the picture.
    const flip = !isKind('one-sided', thing.name) && random.chance(x < canvas.width * 0.5 ? 0.8 : 0.2);
    const sunk = place === 'water' ? 0.05 : place === 'ground' && ground === 'snow' ? 0.03 : 0;
    const glows = isKind('emitters', thing.name);
    const stamp: Stamp = { sprite, x, y, flip, distance, tint, side, plane, sunk, glows, seed: random.fork() };
    const pixels = shade(stamp, light);
    if (place === 'water') paintReflection(canvas, stamp, light, pixels);
    if (place === 'ground' || place === 'table') paintShadow(canvas, stamp, light);
    paintStamp(canvas, stamp, light, pixels);
    if (place === 'ground') paintFoot(stage, x, y, sprite.width, distance, plane);
  }
}

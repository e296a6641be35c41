/** Paints conifers, leafy trees and palms, in rows or alone, lit from the lamp's side. */
import { disc, stack } from '../canvas.ts';
import { blend, hex, type Colour } from '../colour.ts';
import type { Random } from '../random.ts';
import { lit, type Stage } from './stage.ts';
import { clamp } from '../../pixels/range.ts';

/** Where a tree stands: the middle of its foot, its height in pixels, its distance (0 near – 1 far) and its plane. */
type Tree = Readonly<Record<'x' | 'foot' | 'tall' | 'distance' | 'plane', number>> & { readonly snow: boolean };
type Colours = Readonly<Record<'dark' | 'bright' | 'snow', Colour>>;

type Species = (stage: Stage, random: Random, tree: Tree, colours: Colours) => void;

const conifer: Species = ({ canvas, side }, random, { x, foot, tall, plane, snow }, colours) => {
  const { dark, bright } = colours;
  const wide = tall * random.between(0.2, 0.28);
  const tiers = random.integer(7, 10);
  const trunk = [x - tall * 0.018, x + tall * 0.018] as const;
  stack(canvas, foot - tall * 0.1, foot, () => trunk, blend(dark, [0.2, 0.12, 0.08], 0.5), plane);
  const tierAt = (y: number) => (((y - foot) / tall + 1) * tiers) % 1;
  let snowy = false;
  const ends = (y: number) => {
    const half = wide * (((y - foot) / tall + 1) * 0.86 + 0.015) * (0.56 + 0.5 * tierAt(y));
    snowy = snow && tierAt(y) < random.between(0.15, 0.6);
    return [x - half * random.between(0.82, 1.12), x + half * random.between(0.82, 1.12)] as const;
  };
  const needles = (u: number, y: number) => {
    const k = (side < 0 ? 1 - u : u) * 0.7 + (1 - tierAt(y)) * 0.34 + 0.1 * Math.sin(u * 23 + tierAt(y) * 7 + x);
    const green = blend(dark, bright, k);
    return snowy ? blend(green, colours.snow, 0.75 * k + 0.2) : green;
  };
  stack(canvas, foot - tall, foot - tall * 0.05, ends, needles, plane);
};

const leafy: Species = ({ canvas, side }, random, { x, foot, tall, plane }, { dark, bright }) => {
  const trunk = blend(dark, [0.24, 0.15, 0.1], 0.6);
  const lean = random.between(-0.06, 0.06) * tall;
  const ends = (y: number) => {
    const t = (foot - y) / (tall * 0.55);
    const half = tall * (0.03 * (1.15 - t * 0.5) + Math.max(0, 0.02 - t * 0.25));
    return [x + lean * t - half, x + lean * t + half] as const;
  };
  const bark = (u: number) => blend(trunk, bright, (side < 0 ? 1 - u : u) * 0.25);
  stack(canvas, foot - tall * 0.55, foot, ends, bark, plane);
  const blobs = Math.round(60 + Math.min(140, tall / canvas.unit / 4));
  const r = tall * 0.3;
  for (let i = 0; i < blobs; i++) {
    const level = i / blobs;
    const a = random.between(0, Math.PI * 2);
    const d = Math.sqrt(random.next()) * r;
    const [dx, dy] = [lean + Math.cos(a) * d * 1.1, Math.sin(a) * d * 0.86];
    const k = 0.5 + (dx / r) * side * 0.3 - (dy / r) * 0.4;
    const c = blend(dark, bright, clamp(k * 0.6 + level * 0.45 + random.between(-0.12, 0.12)));
    const size = r * Math.sqrt(64 / blobs) * random.between(0.17, 0.38) * (1.2 - level * 0.55);
    disc(canvas, x + dx, foot - tall * 0.66 + dy, size, c, 0.95, 0.85, plane);
  }
};

const palm: Species = ({ canvas }, random, { x, foot, tall, plane }, { dark, bright }) => {
  const lean = random.between(-0.22, 0.22) * tall;
  const trunk = blend(dark, [0.42, 0.3, 0.2], 0.6);
  const ends = (y: number) => {
    const t = (foot - y) / (tall * 0.8);
    const half = tall * (0.026 - t * 0.012);
    return [x + lean * t * t - half, x + lean * t * t + half] as const;
  };
  stack(canvas, foot - tall * 0.8, foot, ends, (u) => blend(trunk, bright, u * 0.3), plane);
  for (let leaf = 0; leaf < 11; leaf++) {
    const a = (leaf / 11) * Math.PI * 2 + random.between(-0.2, 0.2);
    const long = tall * random.between(0.26, 0.38);
    const c = blend(dark, bright, random.between(0.2, 0.95));
    for (let t = 0; t < 1; t += 0.025) {
      const lx = x + lean + Math.cos(a) * long * t;
      const ly = foot - tall * 0.8 + long * (Math.sin(a) * 0.35 * t + 0.55 * t * t - 0.12);
      disc(canvas, lx, ly, Math.max(0.8, tall * 0.026 * Math.sin(Math.PI * (0.15 + 0.85 * t))), c, 0.95, 1, plane);
    }
  }
};

/** The painter of each kind, its dark and its bright colour, and the share of shadow in the dark colour. */
const kinds = {
  conifer: { paint: conifer, colours: '#1f3d33 #5f8a55', shaded: 0.35 },
  leafy: { paint: leafy, colours: '#2c4a24 #8fb548', shaded: 0.3 },
  autumn: { paint: leafy, colours: '#6b3a1d #e0902f', shaded: 0.3 },
  palm: { paint: palm, colours: '#2c4a24 #8fb548', shaded: 0 },
} as const;

export type Kind = keyof typeof kinds;

/** Paints one tree. */
export function paintTree(stage: Stage, random: Random, kind: Kind, tree: Tree): void {
  const { paint, colours, shaded } = kinds[kind];
  const { light } = stage;
  const haze = tree.distance ** 1.2 * 0.85;
  const hazed = (c: Colour) => blend(lit(c, light), light.haze, haze);
  const [deep, pale] = colours.split(' ').map(hex) as [Colour, Colour];
  const shift = random.between(-0.15, 0.15);
  const dark = blend(hazed(blend(deep, pale, Math.max(0, shift))), light.shadow, shaded * (1 - haze));
  const bright = hazed(blend(pale, deep, Math.max(0, -shift)));
  paint(stage, random, tree, { dark, bright, snow: hazed([0.96, 0.98, 1]) });
}

/** Things in a row: `tall` is a share of the height, `clearing` (open middle) of the width; `distance` is 0 nearby. */
export type Row = readonly [count: number, tall: number, distance: number, clearing?: number];

/** Returns the row of pixels on which a thing at column `x` stands. */
export type Foot = (x: number) => number;

/** Paints a row of trees whose feet are on a line. */
export function paintTrees(stage: Stage, kind: Kind, row: Row, plane: number, foot: Foot, snow: boolean): void {
  const [count, tall, distance, clearing = 0] = row;
  const { canvas, brief } = stage;
  const random = stage.random.stream(`trees-${plane}`);
  const shown = brief.time === 'golden' && kind === 'leafy' && random.chance(0.6) ? 'autumn' : kind;
  const places = Array.from({ length: count }, (_, i) => (i + random.between(0.1, 0.9)) / count - 0.5);
  for (const u of random.shuffle(places)) {
    const x = (0.5 + Math.sign(u) * (clearing / 2 + Math.abs(u) * (1.1 - clearing))) * canvas.width;
    const height = tall * canvas.height * random.between(0.66, 1.18);
    paintTree(stage, random, shown, { x, foot: foot(x), tall: height, distance, plane, snow });
  }
}

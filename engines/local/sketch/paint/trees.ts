/** Trees, in rows or alone. */
import { blend, hex } from '../colour.ts';
import { species } from './species.ts';
import { lit, type Stage } from './stage.ts';

export type Kind = keyof typeof species;

/** A row of trees on a line, `distance` 0 near – 1 far. */
export interface TreeLine {
  readonly foot: (x: number) => number;
  readonly count: number;
  /** Part of the picture's height. */
  readonly tall: number;
  readonly distance: number;
  readonly kind: Kind;
  readonly snow: boolean;
  readonly plane: number;
  /** Keeps the middle open, 0–1. */
  readonly clearing: number;
}

/** Paints one tree as a subject of the picture. */
export function paintTree(stage: Stage, kind: Kind, x: number, foot: number, tall: number, plane: number): void {
  const { light } = stage;
  const [deep, pale] = kind === 'conifer' ? ['#1f3d33', '#5f8a55'] : ['#31511f', '#9cc04a'];
  const dark = blend(lit(hex(deep), light), light.shadow, 0.25);
  const snow = stage.ground === 'snow' ? lit([0.96, 0.98, 1], light) : null;
  const tree = { x, foot, tall, dark, bright: lit(hex(pale), light), snow, plane };
  species[kind](stage, stage.random.stream(`tree-${plane}`), tree);
}

const shadows: Readonly<Record<Kind, number>> = { conifer: 0.35, leafy: 0.3, palm: 0 };

export function paintTrees(stage: Stage, line: TreeLine): void {
  const random = stage.random.stream(`trees-${line.plane}`);
  const { canvas, light } = stage;
  const autumn = stage.brief.time === 'golden' && line.kind === 'leafy' && random.chance(0.6);
  const codes = line.kind === 'conifer' ? '#1f3d33 #5f8a55' : autumn ? '#6b3a1d #e0902f' : '#2c4a24 #8fb548';
  const [deep, pale] = codes.split(' ').map(hex);
  const haze = line.distance ** 1.2 * 0.85;
  const snow = line.snow ? blend(lit([0.96, 0.98, 1], light), light.haze, haze) : null;
  const places = Array.from({ length: line.count }, (_, i) => {
    const u = (i + random.between(0.1, 0.9)) / line.count - 0.5;
    if (line.clearing === 0) return 0.5 + u;
    return 0.5 + Math.sign(u) * (line.clearing / 2 + Math.abs(u) * (1.1 - line.clearing));
  });
  for (const u of random.shuffle(places)) {
    const x = u * canvas.width;
    const tall = line.tall * canvas.height * random.between(0.66, 1.18);
    const shift = random.between(-0.15, 0.15);
    const dark = blend(lit(blend(deep!, pale!, Math.max(0, shift)), light), light.haze, haze);
    const bright = blend(lit(blend(pale!, deep!, Math.max(0, -shift)), light), light.haze, haze);
    const shaded = blend(dark, light.shadow, shadows[line.kind] * (1 - haze));
    const tree = { x, foot: line.foot(x), tall, dark: shaded, bright, snow, plane: line.plane };
    species[line.kind](stage, random, tree);
  }
}

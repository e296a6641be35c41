/** Trees, in rows or alone. */
import { blend, hex } from '../colour.ts';
import { conifer, leafy, palm } from './species.ts';
import { lit, type Stage } from './stage.ts';

/** A row of trees on a line, `distance` 0 near – 1 far. */
export interface TreeLine {
  readonly foot: (x: number) => number;
  readonly count: number;
  /** Part of the picture's height. */
  readonly tall: number;
  readonly distance: number;
  readonly kind: 'conifer' | 'leafy' | 'palm';
  readonly snow: boolean;
  readonly plane: number;
  readonly name: string;
  /** Keeps the middle open, 0–1. */
  readonly clearing: number;
}

/** One tree as a subject of the picture. */
export function paintTree(
  stage: Stage,
  kind: TreeLine['kind'],
  x: number,
  foot: number,
  tall: number,
  seed: number,
  plane: number,
): void {
  const random = stage.random.stream(`tree-${seed}`);
  const { light } = stage;
  const dark = blend(lit(hex(kind === 'conifer' ? '#1f3d33' : '#31511f'), light), light.shadow, 0.25);
  const bright = lit(hex(kind === 'conifer' ? '#5f8a55' : '#9cc04a'), light);
  const snow = stage.ground === 'snow' ? lit([0.96, 0.98, 1], light) : null;
  if (kind === 'conifer') conifer(stage, random, x, foot, tall, dark, bright, snow, plane);
  else if (kind === 'palm') palm(stage, random, x, foot, tall, dark, bright, plane);
  else leafy(stage, random, x, foot, tall, dark, bright, plane);
}

export function paintTrees(stage: Stage, line: TreeLine): void {
  const random = stage.random.stream(line.name);
  const { canvas, light } = stage;
  const autumn = stage.brief.time === 'golden' && line.kind === 'leafy' && random.chance(0.6);
  const deep = line.kind === 'conifer' ? '#1f3d33' : autumn ? '#6b3a1d' : '#2c4a24';
  const pale = line.kind === 'conifer' ? '#5f8a55' : autumn ? '#e0902f' : '#8fb548';
  const haze = line.distance ** 1.2 * 0.85;
  const snow = line.snow ? blend(lit([0.96, 0.98, 1], light), light.haze, haze) : null;
  const places = Array.from({ length: line.count }, (_, i) => {
    let u = (i + random.between(0.1, 0.9)) / line.count;
    if (line.clearing > 0)
      u = 0.5 + Math.sign(u - 0.5) * (line.clearing / 2 + Math.abs(u - 0.5) * (1.1 - line.clearing));
    return u;
  });
  for (const u of random.shuffle(places)) {
    const x = u * canvas.width;
    const tall = line.tall * canvas.height * random.between(0.66, 1.18);
    const shift = random.between(-0.15, 0.15);
    const dark = blend(lit(blend(hex(deep), hex(pale), Math.max(0, shift)), light), light.haze, haze);
    const bright = blend(lit(blend(hex(pale), hex(deep), Math.max(0, -shift)), light), light.haze, haze);
    const foot = line.foot(x);
    if (line.kind === 'conifer')
      conifer(stage, random, x, foot, tall, blend(dark, light.shadow, 0.35 * (1 - haze)), bright, snow, line.plane);
    else if (line.kind === 'palm') palm(stage, random, x, foot, tall, dark, bright, line.plane);
    else leafy(stage, random, x, foot, tall, blend(dark, light.shadow, 0.3 * (1 - haze)), bright, line.plane);
  }
}

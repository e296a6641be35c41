/** A picture with a transparent background: the subjects alone, or a medallion of the place where there is no subject. */
import { createCanvas, type Canvas } from '../canvas.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { grade } from '../grade.ts';
import type { Hand, Look } from '../looks/look.ts';
import { fbm, field } from '../noise.ts';
import { paintPlace } from '../paint/landscape.ts';
import { setStage } from '../paint/setting.ts';
import { lightOf } from '../paint/light.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import { paintStamp, shade, type Stamp } from './stamp.ts';
import { rasterise } from './sprite.ts';
import { flood } from '../../pixels/flood.ts';

export async function cutOut(canvas: Canvas, brief: Brief, random: Random, look: Look, hand: Hand): Promise<void> {
  if (brief.subjects.length === 0) return medallion(canvas, brief, random, look, hand);
  canvas.alpha = new Float32Array(canvas.width * canvas.height);
  await group(canvas, brief, random);
  spreadColour(canvas);
  const held = canvas.alpha.slice();
  look(canvas, hand);
  canvas.alpha = held;
}

async function group(canvas: Canvas, brief: Brief, random: Random): Promise<void> {
  const r = random.stream('group');
  const { width, height } = canvas;
  const items = brief.subjects.flatMap((s) => Array.from({ length: s.count }, () => s)).slice(0, 10);
  const columns = Math.ceil(Math.sqrt((items.length * width) / height));
  const rows = Math.ceil(items.length / columns);
  const light = {
    ...lightOf(brief.time === 'night' || brief.time === 'storm' ? 'dusk' : brief.time, false),
    dark: false,
  };
  const biggest = Math.max(...items.map((s) => s.thing.size));
  const side = r.chance(0.5) ? 1 : -1;
  let plane = 16;
  for (const [n, subject] of items.entries()) {
    const inRow = Math.min(columns, items.length - Math.floor(n / columns) * columns);
    const cellWide = width / inRow;
    const cellTall = height / rows;
    const box =
      Math.min(cellWide, cellTall) *
      (items.length === 1 ? r.between(0.8, 0.86) : 0.92) *
      (0.55 + 0.45 * (subject.thing.size / biggest));
    const sprite = await rasterise(subject.thing.name, box, r.integer(0, 4));
    if (!sprite) continue;
    const loose = items.length === 1 ? 0.012 : 0.03;
    const x = ((n % columns) + 0.5 + r.between(-loose, loose)) * cellWide;
    const y = (Math.floor(n / columns) + 0.5 + r.between(-loose, loose)) * cellTall + sprite.height / 2;
    const stamp: Stamp = {
      sprite,
      x,
      y,
      flip: r.chance(0.5),
      distance: 0,
      tint: subject.tint,
      glows: false,
      plane: plane++,
      side,
      seed: r.fork(),
      sunk: 0,
    };
    paintStamp(canvas, stamp, light, shade(stamp, light));
  }
}

/** Fills the empty surroundings with the nearest subject's colour, so that no filter draws a halo in. */
function spreadColour(canvas: Canvas): void {
  const { width, height, rgb, alpha, plane } = canvas;
  if (!alpha) return;
  const near = Int32Array.from(alpha, (value, i) => (value > 0.6 ? i : -1));
  flood(
    width,
    height,
    near.filter((i) => i >= 0),
    (to, from) => {
      near[to] = near[from]!;
      return true;
    },
  );
  for (let i = 0; i < near.length; i++) {
    const s = near[i]!;
    if (s < 0 || s === i) continue;
    rgb.copyWithin(i * 3, s * 3, s * 3 + 3);
    plane[i] = plane[s]!;
  }
}

/** The place in a round with a brushed edge. */
function medallion(canvas: Canvas, brief: Brief, random: Random, look: Look, hand: Hand): void {
  const { width, height, unit } = canvas;
  const inner = createCanvas(width, height);
  const stage = setStage(inner, brief, random);
  paintPlace(stage);
  grade(inner, brief);
  canvas.rgb = inner.rgb;
  canvas.plane.set(inner.plane);
  const alpha = new Float32Array(width * height);
  canvas.alpha = alpha;
  look(canvas, hand);
  const seed = random.stream('medallion').fork();
  const ragged = field(width, height, 4, (x, y) => fbm((x / unit) * 0.012, (y / unit) * 0.03, seed, 4) - 0.5);
  const radius = Math.min(width, height) * 0.43;
  for (let i = 0; i < alpha.length; i++) {
    const d = Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2) / radius;
    alpha[i] = clamp(smoothstep(1, 0.955, d + ragged[i]! * 0.14));
  }
}

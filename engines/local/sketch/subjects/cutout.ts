/** Paints a picture with a transparent background: the subjects, or a round picture of the place if there are none. */
import type { Canvas } from '../canvas.ts';
import { smoothstep } from '../../pixels/range.ts';
import { grade } from '../grade.ts';
import type { Look, LookContext } from '../looks/look.ts';
import { waves } from '../noise.ts';
import { paintPlace } from '../paint/landscape.ts';
import { setStage } from '../paint/stage.ts';
import { lightOf } from '../paint/light.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import { paintStamp, shade } from './stamp.ts';
import { rasterise } from './sprite.ts';
import { flood } from '../../pixels/flood.ts';

export async function cutOut(
  canvas: Canvas,
  brief: Brief,
  random: Random,
  look: Look,
  context: LookContext,
): Promise<void> {
  if (brief.subjects.length > 0) {
    canvas.alpha = new Float32Array(canvas.width * canvas.height);
    await paintGroup(canvas, brief, random.stream('group'));
    spreadColour(canvas, canvas.alpha);
  } else {
    paintPlace(setStage(canvas, brief, random));
    grade(canvas, brief);
    canvas.alpha = medallion(canvas, random.stream('medallion').fork());
  }
  const held = canvas.alpha.slice();
  look(canvas, context);
  canvas.alpha = held;
}

/** Paints the subjects in rows and columns. */
async function paintGroup(canvas: Canvas, brief: Brief, r: Random): Promise<void> {
  const { width, height } = canvas;
  const items = brief.subjects.flatMap((s) => Array.from({ length: s.count }, () => s)).slice(0, 10);
  const columns = Math.ceil(Math.sqrt((items.length * width) / height));
  const tall = height / Math.ceil(items.length / columns);
  const time = brief.time === 'night' || brief.time === 'storm' ? 'dusk' : brief.time;
  const light = { ...lightOf(time, false), dark: false };
  const biggest = Math.max(...items.map((s) => s.thing.size));
  const side = r.chance(0.5) ? 1 : -1;
  for (const [n, { thing, tint }] of items.entries()) {
    const [row, column] = [Math.floor(n / columns), n % columns];
    const wide = width / Math.min(columns, items.length - row * columns);
    const box = Math.min(wide, tall) * (items.length === 1 ? 0.83 : 0.92) * (0.55 + 0.45 * (thing.size / biggest));
    const sprite = await rasterise(thing.name, box, r.integer(0, 4));
    if (!sprite) continue;
    const x = (column + 0.5 + r.between(-0.02, 0.02)) * wide;
    const y = (row + 0.5 + r.between(-0.02, 0.02)) * tall + sprite.height / 2;
    const shading = { sprite, tint, side, distance: 0, glows: false, flip: r.chance(0.5), seed: r.fork() };
    paintStamp(canvas, { ...shading, x, y, plane: 16 + n, sunk: 0 }, light, shade(shading, light));
  }
}

/** Fills the empty surroundings with the nearest subject's colour, so that filters do not create a halo. */
function spreadColour({ width, height, rgb, plane }: Canvas, alpha: Float32Array): void {
  const near = Int32Array.from(alpha, (value, i) => (value > 0.6 ? i : -1));
  const seeds = near.filter((i) => i >= 0);
  flood(width, height, seeds, (to, from) => {
    near[to] = near[from]!;
    return true;
  });
  for (let i = 0; i < near.length; i++) {
    const s = near[i]!;
    if (s < 0 || s === i) continue;
    rgb.copyWithin(i * 3, s * 3, s * 3 + 3);
    plane[i] = plane[s]!;
  }
}

/** Returns the coverage of a disc with a ragged edge. */
function medallion({ width, height, unit }: Canvas, seed: number): Float32Array {
  const ragged = waves({ width, height }, 4, { across: 0.012 / unit, down: 0.03 / unit, seed, octaves: 4 });
  const radius = Math.min(width, height) * 0.43;
  return ragged.map((n, i) => {
    const d = Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2) / radius;
    return smoothstep(1, 0.955, d + (n - 0.5) * 0.14);
  });
}

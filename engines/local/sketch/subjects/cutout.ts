/** Paints a picture with a transparent background: the subjects, or a round picture of the place if there are none. */
import { type Canvas, each } from '../canvas.ts';
import { blur } from '../../pixels/blur.ts';
import { smoothstep } from '../../pixels/range.ts';
import { grade } from '../grade.ts';
import { waves } from '../noise.ts';
import { paintPlace } from '../paint/landscape.ts';
import { setStage } from '../paint/stage.ts';
import { lightOf } from '../paint/light.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import { paintStamp, shade } from './stamp.ts';
import { rasterise } from './drawings.ts';

/** @param finish applies the look, which does not change the transparency */
export async function cutOut(canvas: Canvas, brief: Brief, random: Random, finish: () => void): Promise<void> {
  if (brief.subjects.length > 0) {
    canvas.alpha = new Float32Array(canvas.width * canvas.height);
    await paintGroup(canvas, brief, random.stream('group'));
    spreadColour(canvas, canvas.alpha);
  } else {
    paintPlace(setStage(canvas, brief, random));
    grade(canvas, brief);
    canvas.alpha = medallion(canvas, random.stream('medallion').fork());
  }
  finish();
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

/** Fills the surroundings with the colours of the nearby subjects, so that filters do not create a halo. */
function spreadColour(canvas: Canvas, alpha: Float32Array): void {
  const { width, height, unit } = canvas;
  const near = blur(canvas.rgb, width, height, 3, 40 * unit);
  const painted = alpha.map((a) => Math.ceil(a));
  const share = blur(painted, width, height, 1, 40 * unit);
  each(canvas, (_r, _g, _b, _x, _y, i) => {
    const k = 1 / share[i]!;
    return painted[i] || k > 1000 ? null : [near[i * 3]! * k, near[i * 3 + 1]! * k, near[i * 3 + 2]! * k];
  });
  canvas.plane.fill(16);
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

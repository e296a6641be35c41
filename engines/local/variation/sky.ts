/** Finds the sky of a photograph, and paints the sky that the prompt describes over it. */
import { blur, boxBlur } from '../pixels/blur.ts';
import { flood } from '../pixels/flood.ts';
import { luma, lumaOf } from '../pixels/luma.ts';
import { smoothstep } from '../pixels/range.ts';
import { stretched } from '../pixels/resample.ts';
import { fitting } from '../pixels/resize.ts';
import { type Canvas, createCanvas, each } from '../sketch/canvas.ts';
import { blend, type Colour, times } from '../sketch/colour.ts';
import { paintHeavens } from '../sketch/paint/sky.ts';
import type { Stage } from '../sketch/paint/stage.ts';
import { paintSubjects } from '../sketch/subjects/arrange.ts';
import type { Wish } from './wish.ts';

/** Longer side, in pixels, of the reduced picture in which the sky is searched. */
const searched = 180;
/** Share of the picture below which a sky has no room for flying objects. */
const room = 0.14;
/** Weather that shows only in the sky. */
const skies = ['clouds', 'rainbow', 'clear'] as const;

export interface Sky {
  /** 0–1 for every pixel. */
  readonly mask: Float32Array;
  /** The row at which most of the sky ends. */
  readonly horizon: number;
  /** Share of the whole picture. */
  readonly share: number;
}

/** Finds a calm area, cool or bright, that reaches down from the upper edge; null if it is too small to matter. */
export function findSky(canvas: Canvas): Sky | null {
  const small = fitting(canvas, searched, 4);
  const rgb = stretched(canvas.rgb, 3, canvas, small, 'area');
  const found = grown(rgb, small.width, small.height);
  const sum = (values: Uint8Array) => values.reduce((all, value) => all + value, 0);
  const share = sum(found) / found.length;
  if (share < 0.06 || share > 0.9) return null;
  const row = (y: number) => found.subarray(y * small.width, (y + 1) * small.width);
  const rows = Array.from({ length: small.height }, (_, y) => sum(row(y)));
  const lowest = rows.findLastIndex((area) => area > small.width * 0.12) + 1;
  const horizon = (lowest / small.height) * canvas.height;
  // The colours of the nearby sky, and its share of the surroundings.
  const seen = Float32Array.from({ length: found.length * 4 }, (_, p) => found[p >> 2]! * (p % 4 === 3 ? 1 : rgb[(p >> 2) * 3 + (p % 4)]!)); // prettier-ignore
  const near = stretched(boxBlur(seen, small.width, small.height, 3, 1, 4), 4, small, canvas, 'cubic');
  const mask = new Float32Array(canvas.width * canvas.height).map((_, i) => {
    const known = near[i * 4 + 3]!;
    if (known < 1e-3) return 0;
    let apart = 0;
    for (let c = 0; c < 3; c++) apart += Math.abs(canvas.rgb[i * 3 + c]! - near[i * 4 + c]! / known);
    return smoothstep(0.15, 0.55, known * 2) * smoothstep(0.34, 0.14, apart);
  });
  return { mask, horizon, share };
}

/** Grows the sky from the upper edge while its colour changes slowly. Returns 1 in the sky, 0 elsewhere. */
function grown(rgb: Float32Array, width: number, height: number): Uint8Array {
  const skyish = (i: number): boolean => {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!];
    const l = luma(r, g, b);
    const cool = b >= r - 0.015 && b >= g - 0.03 && l > 0.16;
    const blue = b > r + 0.04 && b > g + 0.02;
    const pale = l > 0.86 && Math.max(r, g, b) - Math.min(r, g, b) < 0.1;
    return cool || blue || pale;
  };
  const apart = (i: number, j: number) =>
    [0, 1, 2].reduce((sum, c) => sum + Math.abs(rgb[i * 3 + c]! - rgb[j * 3 + c]!), 0);
  const top = Array.from({ length: width }, (_, x) => x).filter(skyish);
  return flood(width, height, top, (to, from) => skyish(to) && apart(to, from) <= 0.09);
}

/** Paints the wanted sky and flying objects, both behind everything in front of the sky. */
export async function paintSkyOver(stage: Stage, sky: Sky, { brief, time }: Wish, amount: number): Promise<void> {
  const { canvas } = stage;
  const { width, height, rgb } = canvas;
  const { weather, lamps } = brief;
  const flying = sky.share < room ? [] : brief.subjects.filter(({ thing }) => thing.place === 'sky');
  const isNew = time !== null || lamps.size > 0 || skies.some((one) => weather.has(one));
  if (!isNew && flying.length === 0) return;
  const painted = createCanvas(width, height);
  const heavens: Stage = { ...stage, canvas: painted, brief: { ...brief, subjects: flying, scenes: [] } };
  if (isNew) {
    paintHeavens(heavens);
    // The photograph's clouds show through: the new sky is lighter where the old one was.
    const grey = lumaOf(rgb);
    const around = blur(grey, width, height, 1, 60 * canvas.unit);
    each(painted, (r, g, b, _x, _y, i) => times([r, g, b], 1 + (grey[i]! - around[i]!) * 0.8));
  } else painted.rgb.set(rgb);
  if (flying.length > 0) await paintSubjects(heavens);
  each(canvas, (r, g, b, _x, _y, i) => {
    if (sky.mask[i] === 0) return null;
    const own: Colour = [painted.rgb[i * 3]!, painted.rgb[i * 3 + 1]!, painted.rgb[i * 3 + 2]!];
    return blend([r, g, b], own, sky.mask[i]! * amount);
  });
}

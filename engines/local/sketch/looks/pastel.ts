/** Pastel: chalk dragged over a warm toned paper whose tooth shows through. */
import { clamp } from '../../pixels/range.ts';
import { saturate } from '../filters/tone.ts';
import { strokes } from '../filters/strokes.ts';
import { grainAt, grainTexture } from '../noise.ts';
import type { Look } from './look.ts';

export const pastel: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  saturate(canvas, 1.25, 0.98, 0.06);
  const base = { opacity: 0.86, bristle: 0.6, jitter: 0.09, angle: -0.9, detail: 0 };
  strokes(
    canvas,
    random,
    [
      { ...base, width: 12 * unit, length: 46 * unit, cover: 3.4 },
      { ...base, width: 6 * unit, length: 22 * unit, cover: 2, detail: 0.5 },
      {
        ...base,
        width: Math.max(2, 3.4 * unit),
        length: 11 * unit,
        cover: 2.2,
        detail: 1.2,
        angle: null,
        jitter: 0.05,
      },
    ],
    () => [0.79, 0.7, 0.6],
  );
  const tooth = grainTexture(random.fork(), 128, 2);
  const { rgb } = canvas;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const p = (y * width + x) * 3;
      const g = grainAt(tooth, x / unit / 0.9, y / unit / 0.9);
      const bare = clamp((g - 0.56) * 5) * 0.55;
      rgb[p] = rgb[p]! + (0.79 - rgb[p]!) * bare + (g - 0.5) * 0.08;
      rgb[p + 1] = rgb[p + 1]! + (0.7 - rgb[p + 1]!) * bare + (g - 0.5) * 0.08;
      rgb[p + 2] = rgb[p + 2]! + (0.6 - rgb[p + 2]!) * bare + (g - 0.5) * 0.08;
    }
};

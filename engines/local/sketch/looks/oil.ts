/** Oil, impressionist, pastel and selena's own hand: directional strokes of paint or chalk. */
import { each, type Canvas } from '../canvas.ts';
import { blend, type Colour } from '../colour.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { bloom } from '../filters/bloom.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { strokes, type Brush } from '../filters/strokes.ts';
import { saturate } from '../filters/tone.ts';
import { grainAt, grainTexture } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp } from '../../pixels/range.ts';

const brush = (u: number, width: number, length: number, rest: Partial<Brush> = {}): Brush => ({
  width: Math.max(2, width * u),
  length: Math.max(4, length * u),
  cover: 1.6,
  opacity: 0.92,
  bristle: 0.5,
  jitter: 0.1,
  angle: null,
  detail: 0,
  ...rest,
});

/** Lets light fall across the ridges of paint. */
function emboss(canvas: Canvas, strength: number): void {
  const grey = lumaOf(canvas.rgb);
  each(canvas, (r, g, b, x, y, i) => {
    if (x === 0 || y === 0) return null;
    const k = clamp((grey[i]! - grey[i - canvas.width - 1]!) * strength, -0.09, 0.09);
    return [r + k, g + k, b + k];
  });
}

export const oil: Look = (canvas, { random }) => {
  const u = canvas.unit;
  saturate(canvas, 1.18, 1.06);
  strokes(canvas, random, [
    brush(u, 30, 90, { jitter: 0.16, bristle: 0.7 }),
    brush(u, 16, 52, { jitter: 0.13, bristle: 0.7, cover: 1.9 }),
    brush(u, 8, 28, { jitter: 0.08, bristle: 0.6, detail: 0.5, cover: 2 }),
    brush(u, 4.2, 15, { jitter: 0.04, bristle: 0.4, detail: 1.1, cover: 2.2 }),
  ]);
  emboss(canvas, 0.65);
};

export const impressionist: Look = (canvas, { random }) => {
  const u = canvas.unit;
  saturate(canvas, 1.4, 1.02, 0.03);
  const brushes = [
    brush(u, 22, 40, { jitter: 0.3, bristle: 0.4 }),
    brush(u, 11, 21, { jitter: 0.32, bristle: 0.4, cover: 1.5, opacity: 0.96 }),
    brush(u, 7.5, 15, { jitter: 0.24, bristle: 0.3, detail: 0.9, cover: 2 }),
  ];
  strokes(canvas, random, brushes, [0.86, 0.78, 0.66]);
  emboss(canvas, 0.25);
};

/** Chalk dragged over a warm toned paper whose tooth shows through. */
export const pastel: Look = (canvas, { random }) => {
  const u = canvas.unit;
  saturate(canvas, 1.25, 0.98, 0.06);
  const toned: Colour = [0.79, 0.7, 0.6];
  const chalk = { opacity: 0.86, bristle: 0.6, jitter: 0.09, angle: -0.9 };
  const brushes = [
    brush(u, 12, 46, { ...chalk, cover: 3.4 }),
    brush(u, 6, 22, { ...chalk, cover: 2, detail: 0.5 }),
    brush(u, 3.4, 11, { ...chalk, cover: 2.2, detail: 1.2, angle: null, jitter: 0.05 }),
  ];
  strokes(canvas, random, brushes, toned);
  const grain = grainTexture(random.fork(), 128, 2);
  each(canvas, (r, g, b, x, y) => {
    const n = grainAt(grain, x / u / 0.9, y / u / 0.9);
    const [cr, cg, cb] = blend([r, g, b], toned, clamp((n - 0.56) * 5) * 0.55);
    const relief = (n - 0.5) * 0.08;
    return [cr + relief, cg + relief, cb + relief];
  });
};

/** Soft gouache: patches and a few visible strokes, with a warm glow. */
export const selenaHouse: Look = (canvas, { random }) => {
  const u = canvas.unit;
  saturate(canvas, 1.12, 1.03, 0.01);
  kuwahara(canvas, 3 * u);
  strokes(canvas, random, [
    brush(u, 20, 54, { jitter: 0.07, bristle: 0.45, opacity: 0.85 }),
    brush(u, 9, 26, { jitter: 0.06, bristle: 0.4, cover: 2 }),
    brush(u, 4.6, 13, { jitter: 0.04, bristle: 0.3, detail: 0.55, cover: 2.4 }),
    brush(u, 2.8, 8, { jitter: 0.02, bristle: 0.2, detail: 1.3, cover: 2.4 }),
  ]);
  bloom(canvas, 18 * u, 0.72, 0.35);
  const paper = tooth(canvas, random.fork(), 0.05);
  each(canvas, (r, g, b, x, y) => {
    const k = paper(x, y);
    const dark = 1 - luma(r, g, b);
    return [r * k + 0.012 * dark, g * k, b * k + 0.016 * dark];
  });
};

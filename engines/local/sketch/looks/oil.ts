/** Oil, impressionist and selena's own hand: directional strokes with relief. */
import type { Canvas } from '../canvas.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { bloom } from '../filters/bloom.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { strokes, type Brush } from '../filters/strokes.ts';
import { saturate } from '../filters/tone.ts';
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

/** Light across the ridges of paint. */
function emboss(canvas: Canvas, strength: number): void {
  const { width, height, rgb } = canvas;
  const grey = lumaOf(canvas.rgb);
  for (let y = 1; y < height; y++)
    for (let x = 1; x < width; x++) {
      const i = y * width + x;
      const k = clamp((grey[i]! - grey[i - width - 1]!) * strength, -0.09, 0.09);
      for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rgb[i * 3 + c]! + k;
    }
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
  strokes(
    canvas,
    random,
    [
      brush(u, 22, 40, { jitter: 0.3, bristle: 0.4 }),
      brush(u, 11, 21, { jitter: 0.32, bristle: 0.4, cover: 1.5, opacity: 0.96 }),
      brush(u, 7.5, 15, { jitter: 0.24, bristle: 0.3, detail: 0.9, cover: 2 }),
    ],
    (x, y) => [0.86 + 0.02 * Math.sin(x), 0.78, 0.66 + 0.02 * Math.sin(y)],
  );
  emboss(canvas, 0.25);
};

/** Soft gouache: patches and a few visible strokes, a warm glow over it. */
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
  bloom(canvas.rgb, canvas.width, canvas.height, 18 * u, 0.72, 0.35);
  const paper = tooth(canvas, random.fork(), 0.05);
  for (let y = 0; y < canvas.height; y++)
    for (let x = 0; x < canvas.width; x++) {
      const p = (y * canvas.width + x) * 3;
      const l = luma(canvas.rgb[p]!, canvas.rgb[p + 1]!, canvas.rgb[p + 2]!);
      const k = paper(x, y);
      canvas.rgb[p] = canvas.rgb[p]! * k + 0.012 * (1 - l);
      canvas.rgb[p + 1] = canvas.rgb[p + 1]! * k;
      canvas.rgb[p + 2] = canvas.rgb[p + 2]! * k + 0.016 * (1 - l);
    }
};

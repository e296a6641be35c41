/** Watercolour: pale washes with dark rims and granulation, and a loose paper edge. */
import { each, type Canvas } from '../canvas.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { blur } from '../../pixels/blur.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { saturate } from '../filters/tone.ts';
import { grainAt, grainTexture, waves } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { lumaOf } from '../../pixels/luma.ts';

export const watercolor: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  wobble(canvas, seed, 15 * unit);
  kuwahara(canvas, 6 * unit);
  saturate(canvas, 1.3, 0.92);
  const grey = lumaOf(canvas.rgb);
  const soft = blur(grey, width, height, 1, 5 * unit);
  const wash = waves(canvas, 5, { across: 0.006 / unit, down: 0.006 / unit, seed, octaves: 4 });
  const granules = grainTexture(seed + 9, 128, 2);
  const paper = tooth(canvas, seed + 4, 0.16, 1.2);
  each(canvas, (r, g, b, x, y, i) => {
    const loose = (wash[i]! - 0.5) * 2.1;
    const rim = clamp(Math.abs(grey[i]! - soft[i]!) * 2.4, 0, 0.22);
    const granule = (grainAt(granules, x / unit, y / unit) - 0.5) * 0.22 * (1 - grey[i]!);
    const edge = Math.min(x, y, width - 1 - x, height - 1 - y) / (46 * unit) + loose;
    const cover = canvas.alpha ? 1 : smoothstep(0.12, 0.34, edge);
    const dark = canvas.alpha ? 0 : smoothstep(0.34, 0.2, edge) * cover * 0.3;
    const density = 0.72 + loose * 0.405 + granule + dark;
    const k = 0.45 + 0.55 * paper(x, y);
    const wet = (v: number) => (1 - clamp((1 - v) * density + rim) * cover) * k;
    return [0.985 * wet(r), 0.972 * wet(g), 0.94 * wet(b)];
  });
};

/** Lets outlines wander as a loaded brush does. */
function wobble(canvas: Canvas, seed: number, amount: number): void {
  const { width, height, unit } = canvas;
  const shift = (s: number) => waves(canvas, 5, { across: 0.02 / unit, down: 0.02 / unit, seed: seed + s, octaves: 3 });
  const [dx, dy] = [shift(40), shift(60)];
  const source = canvas.rgb.slice();
  each(canvas, (_r, _g, _b, x, y, i) => {
    const sx = clamp(Math.round(x + (dx[i]! - 0.5) * amount), 0, width - 1);
    const sy = clamp(Math.round(y + (dy[i]! - 0.5) * amount), 0, height - 1);
    const s = (sy * width + sx) * 3;
    return [source[s]!, source[s + 1]!, source[s + 2]!];
  });
}

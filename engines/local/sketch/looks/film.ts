/** Cinematic and dreamscape: the picture through a lens. */
import { each } from '../canvas.ts';
import { blend, type Colour } from '../colour.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';
import { blur } from '../../pixels/blur.ts';
import { bloom } from '../filters/bloom.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { saturate, vignette } from '../filters/tone.ts';
import { lattice } from '../noise.ts';
import type { Look } from './look.ts';

export const cinematic: Look = (canvas, { random }) => {
  const { width, height, unit, plane } = canvas;
  const seed = random.fork();
  saturate(canvas, 0.88, 1.12, -0.03);
  bloom(canvas, 34 * unit, 0.6, 0.5);
  const far = blur(canvas.rgb, width, height, 3, 3.2 * unit);
  each(canvas, (sr, sg, sb, x, y, i) => {
    // Only what lies behind the subjects is out of focus.
    const k = plane[i]! >= 16 ? 0 : plane[i]! <= 2 ? 0.85 : 0.3;
    const [r, g, b] = blend([sr, sg, sb], [far[i * 3]!, far[i * 3 + 1]!, far[i * 3 + 2]!], k);
    const l = luma(r, g, b);
    const s = smoothstep(0.5, 0.05, l);
    const h = smoothstep(0.45, 0.95, l);
    const n = (lattice(x, y, seed) - 0.5) * 0.055;
    return [r * (1 - 0.2 * s) + 0.07 * h + n, g + 0.012 * s + 0.015 * h + n, b + 0.045 * s - 0.07 * h + n];
  });
  vignette(canvas, 0.75);
  if (canvas.alpha) return;
  const bar = Math.round(height * (width > height * 1.9 ? 0.03 : 0.075)) * width * 3;
  canvas.rgb.fill(0.015, 0, bar).fill(0.015, canvas.rgb.length - bar);
};

export const dreamscape: Look = (canvas) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const soft = blur(canvas.rgb, width, height, 3, 13 * unit);
  // Screens the blurred picture over the sharp one, so that bright things breathe.
  const screen = (sharp: number, p: number) => 1 - (1 - clamp(sharp) * 0.72) * (1 - clamp(soft[p]!) * 0.5);
  each(canvas, (r, g, b, x, y, i): Colour => {
    const hue = Math.sin((x / width) * 2.6 + (y / height) * 3.4);
    return [
      screen(r, i * 3) * 0.8 + 0.17 + 0.035 * hue,
      screen(g, i * 3 + 1) * 0.76 + 0.145,
      screen(b, i * 3 + 2) * 0.8 + 0.2 - 0.03 * hue,
    ];
  });
  saturate(canvas, 1.25);
  bloom(canvas, 40 * unit, 0.75, 0.4);
};

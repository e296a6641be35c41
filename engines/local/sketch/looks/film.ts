/** Cinematic and dreamscape: the picture through a lens. */
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';
import { blur } from '../../pixels/blur.ts';
import { bloom } from '../filters/bloom.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, saturate, vignette } from '../filters/tone.ts';
import { lattice } from '../noise.ts';
import type { Look } from './look.ts';

export const cinematic: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  saturate(canvas, 0.88, 1.12, -0.03);
  bloom(canvas.rgb, width, height, 34 * unit, 0.6, 0.5);
  const far = blur(canvas.rgb, width, height, 3, 3.2 * unit);
  const { plane, rgb } = canvas;
  for (let i = 0; i < plane.length; i++) {
    const k = plane[i]! >= 16 ? 0 : plane[i]! <= 2 ? 0.85 : 0.3;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rgb[i * 3 + c]! * (1 - k) + far[i * 3 + c]! * k;
  }
  each(canvas, (r, g, b, i) => {
    const l = luma(r, g, b);
    const s = smoothstep(0.5, 0.05, l);
    const h = smoothstep(0.45, 0.95, l);
    const n = (lattice(i % width, Math.floor(i / width), seed) - 0.5) * 0.055;
    return [r * (1 - 0.2 * s) + 0.07 * h + n, g + 0.012 * s + 0.015 * h + n, b + 0.045 * s - 0.07 * h + n];
  });
  vignette(canvas, 0.75);
  if (canvas.alpha) return;
  const bar = Math.round(height * (width > height * 1.9 ? 0.03 : 0.075));
  for (let y = 0; y < height; y++)
    if (y < bar || y >= height - bar) rgb.fill(0.015, y * width * 3, (y + 1) * width * 3);
};

export const dreamscape: Look = (canvas) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const soft = blur(canvas.rgb, width, height, 3, 13 * unit);
  each(canvas, (r, g, b, i) => {
    const y = Math.floor(i / width) / height;
    const x = (i % width) / width;
    const [sr, sg, sb] = [soft[i * 3]!, soft[i * 3 + 1]!, soft[i * 3 + 2]!];
    // Screen of the blurred over the sharp: bright things breathe.
    const [cr, cg, cb] = [
      1 - (1 - clamp(r) * 0.72) * (1 - clamp(sr) * 0.5),
      1 - (1 - clamp(g) * 0.72) * (1 - clamp(sg) * 0.5),
      1 - (1 - clamp(b) * 0.72) * (1 - clamp(sb) * 0.5),
    ];
    const hue = Math.sin(x * 2.6 + y * 3.4);
    return [cr * 0.8 + 0.17 + 0.035 * hue, cg * 0.76 + 0.145, cb * 0.8 + 0.2 - 0.03 * hue];
  });
  saturate(canvas, 1.25, 1, 0);
  bloom(canvas.rgb, width, height, 40 * unit, 0.75, 0.4);
};

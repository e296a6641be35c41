/** Watercolour: pale washes with dark rims and granulation, and a loose paper edge. */
import { clamp, smoothstep } from '../../pixels/range.ts';
import { blur } from '../../pixels/blur.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { saturate } from '../filters/tone.ts';
import { fbm, field, grainAt, grainTexture } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { lumaOf } from '../../pixels/luma.ts';

export const watercolor: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  wobble(canvas, seed, 5 * unit);
  kuwahara(canvas, 6 * unit);
  saturate(canvas, 1.3, 0.92);
  const grey = lumaOf(canvas.rgb);
  const soft = blur(grey, width, height, 1, 5 * unit);
  const wash = field(width, height, 5, (x, y) => fbm((x / unit) * 0.006, (y / unit) * 0.006, seed, 4));
  const granules = grainTexture(seed + 9, 128, 2);
  const paper = tooth(canvas, seed + 4, 0.16, 1.2);
  const { rgb } = canvas;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const p = i * 3;
      const rim = clamp(Math.abs(grey[i]! - soft[i]!) * 2.4, 0, 0.22);
      const pool =
        0.72 + (wash[i]! - 0.5) * 0.85 + (grainAt(granules, x / unit, y / unit) - 0.5) * 0.22 * (1 - grey[i]!);
      const edge = Math.min(x, y, width - 1 - x, height - 1 - y) / (46 * unit) + (wash[i]! - 0.5) * 2.1;
      const cover = canvas.alpha ? 1 : smoothstep(0.12, 0.34, edge);
      const dark = canvas.alpha ? 0 : smoothstep(0.34, 0.2, edge) * cover * 0.3;
      const k = paper(x, y);
      for (let c = 0; c < 3; c++) {
        const sheet = [0.985, 0.972, 0.94][c]!;
        const density = clamp((1 - rgb[p + c]!) * (pool + dark) + rim);
        rgb[p + c] = sheet * (1 - density * cover) * (0.45 + 0.55 * k);
      }
    }
};

/** Lets outlines wander as a loaded brush does. */
function wobble(
  canvas: { width: number; height: number; rgb: Float32Array; unit: number },
  seed: number,
  amount: number,
): void {
  const { width, height, rgb } = canvas;
  const dx = field(
    width,
    height,
    5,
    (x, y) => fbm((x / canvas.unit) * 0.02, (y / canvas.unit) * 0.02, seed + 40, 3) - 0.5,
  );
  const dy = field(
    width,
    height,
    5,
    (x, y) => fbm((x / canvas.unit) * 0.02, (y / canvas.unit) * 0.02, seed + 60, 3) - 0.5,
  );
  const out = new Float32Array(rgb.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const sx = clamp(Math.round(x + dx[i]! * amount * 3), 0, width - 1);
      const sy = clamp(Math.round(y + dy[i]! * amount * 3), 0, height - 1);
      const s = (sy * width + sx) * 3;
      out[i * 3] = rgb[s]!;
      out[i * 3 + 1] = rgb[s + 1]!;
      out[i * 3 + 2] = rgb[s + 2]!;
    }
  canvas.rgb = out;
}

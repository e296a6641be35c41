/** Removes details: outlines shift, patches merge, large masses stay. */
import type { Canvas } from '../sketch/canvas.ts';
import { blur } from '../pixels/blur.ts';
import { kuwahara } from '../sketch/filters/kuwahara.ts';
import { fbm, field } from '../sketch/noise.ts';
import { inOpenCv } from '../pixels/opencv.ts';

/** @param strength 0 keeps everything, 1 keeps only masses */
export function simplify(canvas: Canvas, strength: number, seed: number): void {
  const { unit } = canvas;
  const wander = 46 * Math.max(0, strength - 0.2) ** 1.6;
  if (wander * unit > 0.5) wobble(canvas, seed, wander * unit);
  const radius = (0.8 + 8.5 * strength ** 2) * unit;
  if (radius >= 0.75) kuwahara(canvas, radius);
  if (strength <= 0.5) return;
  // The filter leaves square corners, which a blur and a second filter round off.
  canvas.rgb = blur(canvas.rgb, canvas.width, canvas.height, 3, Math.max(1, radius * 0.42));
  kuwahara(canvas, radius * 0.6);
}

function wobble(canvas: Canvas, seed: number, amount: number): void {
  const { width, height, rgb, unit } = canvas;
  const shift = (s: number): Float32Array =>
    field(width, height, 8, (x, y) => fbm((x / unit) * 0.0055, (y / unit) * 0.0055, seed + s, 3) - 0.5);
  const [dx, dy] = [shift(0), shift(50)];
  const across = dx.map((shift, i) => (i % width) + shift * amount * 2);
  const down = dy.map((shift, i) => Math.floor(i / width) + shift * amount * 2);
  canvas.rgb = inOpenCv(({ cv, floats, empty }) => {
    const out = empty();
    const [x, y] = [floats(across, width, height), floats(down, width, height)];
    cv.remap(floats(rgb, width, height, 3), out, x, y, cv.INTER_LINEAR, cv.BORDER_REPLICATE);
    return out.data32F.slice();
  });
}

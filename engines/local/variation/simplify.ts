/** Leaves details out: outlines wander, patches flow together, the large masses stay. */
import type { Canvas } from '../sketch/canvas.ts';
import { clamp } from '../pixels/range.ts';
import { blur } from '../pixels/blur.ts';
import { kuwahara } from '../sketch/filters/kuwahara.ts';
import { fbm, field } from '../sketch/noise.ts';

/** @param strength 0 leaves everything in, 1 keeps masses only */
export function simplify(canvas: Canvas, strength: number, seed: number): void {
  const { unit } = canvas;
  const wander = 46 * Math.max(0, strength - 0.2) ** 1.6;
  if (wander * unit > 0.5) wobble(canvas, seed, wander * unit);
  const radius = (0.8 + 8.5 * strength ** 2) * unit;
  if (radius >= 0.75) kuwahara(canvas, radius);
  if (strength <= 0.5) return;
  // The filter leaves square corners; blurred and drawn together again they are round.
  canvas.rgb = blur(canvas.rgb, canvas.width, canvas.height, 3, Math.max(1, radius * 0.42));
  kuwahara(canvas, radius * 0.6);
}

function wobble(canvas: Canvas, seed: number, amount: number): void {
  const { width, height, rgb, unit } = canvas;
  const shift = (s: number): Float32Array =>
    field(width, height, 8, (x, y) => fbm((x / unit) * 0.0055, (y / unit) * 0.0055, seed + s, 3) - 0.5);
  const [dx, dy] = [shift(0), shift(50)];
  const out = new Float32Array(rgb.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const sx = clamp(x + dx[i]! * amount * 2, 0, width - 1.001);
      const sy = clamp(y + dy[i]! * amount * 2, 0, height - 1.001);
      const [x0, y0] = [Math.floor(sx), Math.floor(sy)];
      const [u, v] = [sx - x0, sy - y0];
      const s = (y0 * width + x0) * 3;
      for (let c = 0; c < 3; c++) {
        const a = rgb[s + c]! + (rgb[s + 3 + c]! - rgb[s + c]!) * u;
        const b = rgb[s + width * 3 + c]! + (rgb[s + width * 3 + 3 + c]! - rgb[s + width * 3 + c]!) * u;
        out[i * 3 + c] = a + (b - a) * v;
      }
    }
  canvas.rgb = out;
}

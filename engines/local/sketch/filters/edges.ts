/** Finds contours between planes and between tones (difference of Gaussians), from 0 (no line) to 1 (full line). */
import type { Canvas } from '../canvas.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { blur } from '../../pixels/blur.ts';
import { lumaOf } from '../../pixels/luma.ts';
import { where } from '../../pixels/plane.ts';

/** Returns 1 where the next pixel of a row or column has another value, 0 elsewhere. */
export function borders(values: ArrayLike<number>, width: number): Uint8Array {
  const isLast = (i: number) => (i + 1) % width === 0 || i + width >= values.length;
  return where(values, (value, i) => !isLast(i) && (value !== values[i + 1] || value !== values[i + width]));
}

/** Returns lines where one plane covers another, softened over `thickness` pixels. */
export function planeLines({ width, height, plane }: Canvas, thickness: number): Float32Array {
  const soft = blur(new Float32Array(borders(plane, width)), width, height, 1, Math.max(1, thickness));
  const gain = Math.max(1, thickness) * 2.4;
  return soft.map((value) => clamp(value * gain));
}

/** Returns the lines between tones and between planes. A higher `sharpness` gives stronger lines between tones. */
export function lines(canvas: Canvas, thickness: number, sharpness = 1): Float32Array {
  const { width, height } = canvas;
  const grey = lumaOf(canvas.rgb);
  const fine = blur(grey, width, height, 1, Math.max(1, thickness));
  const broad = blur(grey, width, height, 1, Math.max(2, thickness * 2.2));
  const planes = planeLines(canvas, thickness);
  const toneAt = (i: number) => smoothstep(0.006, 0.05 / sharpness, broad[i]! - fine[i]!);
  return planes.map((line, i) => Math.max(toneAt(i), line * 0.85));
}

/** Finds contours between planes and between tones (difference of Gaussians), from 0 (no line) to 1 (full line). */
import type { Canvas } from '../canvas.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { blur } from '../../pixels/blur.ts';
import { lumaOf } from '../../pixels/luma.ts';

/** Returns the lines between tones. `thickness` is in pixels; a higher `sharpness` gives stronger lines. */
export function toneLines({ width, height, rgb }: Canvas, thickness: number, sharpness: number): Float32Array {
  const grey = lumaOf(rgb);
  const fine = blur(grey, width, height, 1, Math.max(1, thickness));
  const broad = blur(grey, width, height, 1, Math.max(2, thickness * 2.2));
  for (let i = 0; i < grey.length; i++) grey[i] = smoothstep(0.006, 0.05 / sharpness, broad[i]! - fine[i]!);
  return grey;
}

/** Returns lines where one plane covers another, softened over `thickness` pixels. */
export function planeLines({ width, height, plane }: Canvas, thickness: number): Float32Array {
  const out = new Float32Array(width * height);
  for (let y = 0; y < height - 1; y++)
    for (let x = 0, i = y * width; x < width - 1; x++, i++)
      if (plane[i] !== plane[i + 1] || plane[i] !== plane[i + width]) out[i] = 1;
  const soft = blur(out, width, height, 1, Math.max(1, thickness));
  const gain = Math.max(1, thickness) * 2.4;
  for (let i = 0; i < soft.length; i++) soft[i] = clamp(soft[i]! * gain);
  return soft;
}

/** Returns the lines between tones and between planes. */
export function lines(canvas: Canvas, thickness: number, sharpness = 1): Float32Array {
  const tone = toneLines(canvas, thickness, sharpness);
  const planes = planeLines(canvas, thickness);
  for (let i = 0; i < tone.length; i++) tone[i] = Math.max(tone[i]!, planes[i]! * 0.85);
  return tone;
}

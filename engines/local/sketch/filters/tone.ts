/** Adjusts the tones of the whole picture: saturation, contrast, levels, glow and vignette. */
import { blur } from '../../pixels/blur.ts';
import { luma } from '../../pixels/luma.ts';
import { clamp, ramp } from '../../pixels/range.ts';
import { stretched } from '../../pixels/resample.ts';
import { each, type Canvas } from '../canvas.ts';

export function saturate({ rgb }: Canvas, amount: number, contrast = 1, lift = 0): void {
  for (let p = 0; p < rgb.length; p += 3) {
    const l = luma(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!);
    for (let c = 0; c < 3; c++) rgb[p + c] = (l + (rgb[p + c]! - l) * amount - 0.5) * contrast + 0.5 + lift;
  }
}

/** Stretches the tones to 0–1. `tail` is the share of pixels that is cut off at each end. */
export function levelled(grey: Float32Array, tail = 0.02): Float32Array {
  // Every eighth value is enough for the two levels.
  const sorted = grey.filter((_, i) => i % 8 === 0).sort();
  const level = (share: number) => clamp(sorted[Math.floor(share * (sorted.length - 1))]!);
  const low = level(tail);
  const high = Math.max(low + 0.15, level(1 - tail));
  return grey.map((g) => ramp(low, high, g));
}

export function vignette(canvas: Canvas, strength: number): void {
  const { width, height } = canvas;
  each(canvas, (r, g, b, x, y) => {
    const [u, v] = [(x / width) * 2 - 1, (y / height) * 2 - 1];
    const k = 1 - strength * Math.max(0, (u * u + v * v) * 0.55 - 0.15);
    return [r * k, g * k, b * k];
  });
}

/** Makes areas above the threshold glow. Blurs them at half size, which is faster and looks the same. */
export function bloom(canvas: Canvas, sigma: number, threshold: number, strength: number): void {
  const half = { width: canvas.width >> 1, height: canvas.height >> 1 };
  const bright = stretched(canvas.rgb, 3, canvas, half, 'area').map((value) => Math.max(0, value - threshold));
  const spilled = blur(bright, half.width, half.height, 3, Math.max(1, sigma / 2));
  const glow = stretched(spilled, 3, half, canvas);
  for (let p = 0; p < glow.length; p++) canvas.rgb[p]! += glow[p]! * strength;
}

/** Adjusts tones and colours of the whole picture. */
import { each, type Canvas } from '../canvas.ts';
import { clamp } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';

export function saturate({ rgb }: Canvas, amount: number, contrast = 1, lift = 0): void {
  for (let p = 0; p < rgb.length; p += 3) {
    const l = luma(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!);
    for (let c = 0; c < 3; c++) rgb[p + c] = (l + (rgb[p + c]! - l) * amount - 0.5) * contrast + 0.5 + lift;
  }
}

/** Stretches the tones to 0–1. `tail` is the share of pixels that is cut off at each end. */
export function levelled(grey: Float32Array, tail = 0.02): Float32Array {
  const bins = new Uint32Array(256);
  for (const g of grey) bins[Math.round(clamp(g) * 255)]!++;
  const find = (from: number, step: number): number => {
    let seen = 0;
    for (let b = from; b >= 0 && b < 256; b += step) {
      seen += bins[b]!;
      if (seen > grey.length * tail) return b / 255;
    }
    return from / 255;
  };
  const low = find(0, 1);
  const high = Math.max(low + 0.15, find(255, -1));
  return grey.map((g) => clamp((g - low) / (high - low)));
}

export function vignette(canvas: Canvas, strength: number): void {
  const { width, height } = canvas;
  each(canvas, (r, g, b, x, y) => {
    const [u, v] = [(x / width) * 2 - 1, (y / height) * 2 - 1];
    const k = 1 - strength * Math.max(0, (u * u + v * v) * 0.55 - 0.15);
    return [r * k, g * k, b * k];
  });
}

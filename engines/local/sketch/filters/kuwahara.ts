/** Kuwahara: every pixel takes the mean of its calmest quadrant, which leaves patches like paint. Same cost at any radius. */
import type { Canvas } from '../canvas.ts';
import { luma } from '../../pixels/luma.ts';

export function kuwahara(canvas: Canvas, radius: number): void {
  const { width, height, rgb } = canvas;
  const r = Math.max(1, Math.round(radius));
  const w = width + 1;
  const sums = new Float64Array(w * (height + 1) * 5);
  for (let y = 0; y < height; y++) {
    const row = [0, 0, 0, 0, 0];
    for (let x = 0; x < width; x++) {
      const p = (y * width + x) * 3;
      const l = luma(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!);
      row[0]! += rgb[p]!;
      row[1]! += rgb[p + 1]!;
      row[2]! += rgb[p + 2]!;
      row[3]! += l;
      row[4]! += l * l;
      const o = ((y + 1) * w + x + 1) * 5;
      for (let c = 0; c < 5; c++) sums[o + c] = sums[o - w * 5 + c]! + row[c]!;
    }
  }
  const out = new Float32Array(rgb.length);
  for (let y = 0; y < height; y++) {
    const ys = [Math.max(0, y - r), y, Math.min(height, y + 1), Math.min(height, y + r + 1)] as const;
    for (let x = 0; x < width; x++) {
      const xs = [Math.max(0, x - r), x, Math.min(width, x + 1), Math.min(width, x + r + 1)] as const;
      let best = Infinity;
      const o = (y * width + x) * 3;
      for (let q = 0; q < 4; q++) {
        const x0 = q & 1 ? xs[1] : xs[0];
        const x1 = q & 1 ? xs[3] : xs[2];
        const y0 = q & 2 ? ys[1] : ys[0];
        const y1 = q & 2 ? ys[3] : ys[2];
        const n = 1 / ((x1 - x0) * (y1 - y0));
        const [a, b, c, d] = [(y0 * w + x0) * 5, (y0 * w + x1) * 5, (y1 * w + x0) * 5, (y1 * w + x1) * 5];
        const mean = (sums[d + 3]! - sums[b + 3]! - sums[c + 3]! + sums[a + 3]!) * n;
        const spread = (sums[d + 4]! - sums[b + 4]! - sums[c + 4]! + sums[a + 4]!) * n - mean * mean;
        if (spread >= best) continue;
        best = spread;
        for (let k = 0; k < 3; k++) out[o + k] = (sums[d + k]! - sums[b + k]! - sums[c + k]! + sums[a + k]!) * n;
      }
    }
  }
  canvas.rgb = out;
}

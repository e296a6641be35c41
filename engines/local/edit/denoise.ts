/** Removes noise by averaging similar patches (non-local means), in strips. */
import type { Raster } from '../raster.ts';
import { clamp } from '../pixels/range.ts';
import { boxBlur } from '../pixels/blur.ts';
import { noiseOf } from '../pixels/noise.ts';

/** Distance up to which similar patches are searched, in pixels; less on large pictures, whose noise is finer than their detail. */
const farthest = 5;
const nearest = 3;
const large = 5_000_000;
const patch = 1;
const strip = 256;

export function denoised(raster: Raster, amount: number): Raster {
  const { height } = raster;
  const data = new Uint8Array(raster.data);
  const noise = noiseOf(raster);
  const search = raster.width * height > large ? nearest : farthest;
  const strength = (0.9 + 0.9 * amount) * Math.max(1.5, noise);
  for (let y = 0; y < height; y += strip) {
    clean(raster, data, y, Math.min(height, y + strip), strength, noise, search);
  }
  return { ...raster, data };
}

function clean(
  { width, height, data }: Raster,
  out: Uint8Array,
  from: number,
  to: number,
  h: number,
  noise: number,
  search: number,
): void {
  const top = Math.max(0, from - search - patch);
  const bottom = Math.min(height, to + search + patch);
  const rows = bottom - top;
  const sum = new Float32Array(width * (to - from) * 4);
  const difference = new Float32Array(width * rows);
  const scale = -1 / (h * h * 3);
  const bias = 2 * noise * noise * 3;
  for (let dy = -search; dy <= search; dy++)
    for (let dx = -search; dx <= search; dx++) {
      // A third of the neighbourhood is enough and takes a third of the time.
      if ((dx * 2 + dy + 30) % 3 !== 0 && Math.abs(dx) + Math.abs(dy) > 2) continue;
      for (let y = 0; y < rows; y++) {
        const sy = clamp(top + y + dy, 0, height - 1);
        for (let x = 0; x < width; x++) {
          const p = ((top + y) * width + x) * 4;
          const q = (sy * width + clamp(x + dx, 0, width - 1)) * 4;
          const r = data[p]! - data[q]!;
          const g = data[p + 1]! - data[q + 1]!;
          const b = data[p + 2]! - data[q + 2]!;
          difference[y * width + x] = r * r + g * g + b * b;
        }
      }
      const boxed = boxBlur(difference, width, rows, patch);
      for (let y = from; y < to; y++) {
        const sy = clamp(y + dy, 0, height - 1);
        for (let x = 0; x < width; x++) {
          const far = Math.max(0, boxed[(y - top) * width + x]! - bias);
          const w = Math.exp(far * scale);
          if (w < 0.002) continue;
          const q = (sy * width + clamp(x + dx, 0, width - 1)) * 4;
          const o = ((y - from) * width + x) * 4;
          sum[o]! += data[q]! * w;
          sum[o + 1]! += data[q + 1]! * w;
          sum[o + 2]! += data[q + 2]! * w;
          sum[o + 3]! += w;
        }
      }
    }
  for (let i = 0; i < sum.length; i += 4) {
    const o = from * width * 4 + i;
    for (let k = 0; k < 3; k++) out[o + k] = Math.round(sum[i + k]! / sum[i + 3]!);
  }
}

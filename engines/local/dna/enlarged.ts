/** Brings a change that was made on a smaller picture up to full size: the picture's own fine light and shade comes back. */
import type { Raster } from '../raster.ts';
import { taps } from '../cutout/plane.ts';
import { toByte } from '../pixels/range.ts';

/** How much of the fine detail a dressed picture keeps. */
const kept = 0.7;

/**
 * @param dressed the changed picture
 * @param small what it was made of
 * @param full the same at full size
 */
export function enlarged(dressed: Raster, small: Raster, full: Raster): Raster {
  const { width, height } = full;
  const data = new Uint8Array(full.data);
  const [columns, rows] = [taps(small.width, width), taps(small.height, height)];
  for (let y = 0; y < height; y++) {
    const [upper, lower, v] = [rows.first[y]! * small.width, rows.second[y]! * small.width, rows.weight[y]!];
    for (let x = 0; x < width; x++) {
      const [left, right, u] = [columns.first[x]!, columns.second[x]!, columns.weight[x]!];
      const [p, q, r, s] = [(upper + left) * 4, (upper + right) * 4, (lower + left) * 4, (lower + right) * 4];
      const mean = (from: Uint8Array, c: number) =>
        (from[p + c]! * (1 - u) + from[q + c]! * u) * (1 - v) + (from[r + c]! * (1 - u) + from[s + c]! * u) * v;
      const o = (y * width + x) * 4;
      let detail = 0;
      for (let c = 0; c < 3; c++) detail += (full.data[o + c]! - mean(small.data, c)) / 3;
      for (let c = 0; c < 3; c++) data[o + c] = toByte(mean(dressed.data, c) + kept * detail);
    }
  }
  return { width, height, channels: 4, data };
}

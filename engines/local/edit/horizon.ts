/** Measures the tilt of a picture from edges that are nearly horizontal or vertical. */
import type { Raster } from '../raster.ts';
import { resized } from '../pixels/resize.ts';
import { lumaOf } from '../pixels/luma.ts';

/** Largest tilt that is recognised, in degrees. */
const reach = 12;
/** Bins of the histogram of angles per degree. */
const perDegree = 5;

/** Returns the degrees to turn clockwise; 0 if no direction stands out. */
export async function tiltOf(raster: Raster): Promise<number> {
  const scale = Math.min(1, 800 / Math.max(raster.width, raster.height));
  const [w, h] = [Math.round(raster.width * scale), Math.round(raster.height * scale)];
  const { data } = await resized(raster, { width: w, height: h });
  const gray = lumaOf(data, 4);
  const bins = new Float64Array(2 * reach * perDegree + 1);
  for (let y = 2; y < h - 2; y++)
    for (let x = 2; x < w - 2; x++) {
      const i = y * w + x;
      // Differences over four pixels, because the pixel steps of a slanted edge would count as horizontal or vertical.
      let [gx, gy] = [0, 0];
      for (let d = -2; d <= 2; d++) {
        const weight = 3 - Math.abs(d);
        gx += weight * (gray[i + d * w + 2]! + gray[i + d * w + 1]! - gray[i + d * w - 1]! - gray[i + d * w - 2]!);
        gy += weight * (gray[i + d + 2 * w]! + gray[i + d + w]! - gray[i + d - w]! - gray[i + d - 2 * w]!);
      }
      const strength = Math.hypot(gx, gy);
      if (strength < 220) continue;
      const angle = (Math.atan2(gy, gx) * 180) / Math.PI;
      const off = angle - 90 * Math.round(angle / 90);
      if (Math.abs(off) > reach) continue;
      const level = Math.abs(Math.round(angle / 90)) === 1 ? 1.5 : 1;
      const at = Math.round((off + reach) * perDegree);
      bins[at] = bins[at]! + Math.min(strength, 1500) * level;
    }
  const soft = bins.map((_, i) =>
    [-3, -2, -1, 0, 1, 2, 3].reduce((sum, d) => sum + (bins[i + d] ?? 0) * (4 - Math.abs(d)), 0),
  );
  const total = soft.reduce((sum, n) => sum + n, 0);
  const best = soft.reduce((top, n, i) => (n > soft[top]! ? i : top), 0);
  if (total === 0 || soft[best]! < (1.35 * total) / soft.length) return 0;
  return -(best / perDegree - reach);
}

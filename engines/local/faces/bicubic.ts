/** Colours between pixels, by Catmull–Rom's curves: as crisp as the image itself. */
import type { Raster } from '../raster.ts';
import { clamp } from '../pixels/range.ts';

/** RGBA at a point, 0–1, into `out` (or what of it has room there). Beyond the edges the image goes on as at its edge. */
export function colourAt({ data, width, height }: Raster, x: number, y: number, out: Float64Array): void {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [across, down] = [weights(x - 0.5 - left), weights(y - 0.5 - top)];
  out.fill(0);
  for (let j = 0; j < 4; j++) {
    const row = clamp(top - 1 + j, 0, height - 1) * width;
    for (let i = 0; i < 4; i++) {
      const at = (row + clamp(left - 1 + i, 0, width - 1)) * 4;
      const weight = (across[i]! * down[j]!) / 255;
      for (let c = 0; c < out.length; c++) out[c]! += weight * data[at + c]!;
    }
  }
  for (let c = 0; c < out.length; c++) out[c] = clamp(out[c]!);
}

function weights(t: number): [number, number, number, number] {
  const [t2, t3] = [t * t, t * t * t];
  return [(-t + 2 * t2 - t3) / 2, (2 - 5 * t2 + 3 * t3) / 2, (t + 4 * t2 - 3 * t3) / 2, (t3 - t2) / 2];
}

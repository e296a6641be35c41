/** Removes noise with a bilateral filter, which keeps edges. */
import type { Raster } from '../raster.ts';
import { opaque } from '../pixels/alpha.ts';
import { noiseOf } from '../pixels/noise.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { withColours } from './picture.ts';

/** Several narrow rounds leave fewer specks than a wide one. */
const rounds = 3;

export function denoised(raster: Raster, amount: number): Raster {
  const { width, height } = raster;
  const deviation = 1.9 * (1 + amount) * Math.max(1.5, noiseOf(raster));
  return inOpenCv(({ cv, bytes, empty }) => {
    let [from, to] = [bytes(opaque(raster).data, width, height, 3), empty()];
    for (let round = 0; round < rounds; round++) {
      cv.bilateralFilter(from, to, 7, deviation, 1.6, cv.BORDER_REPLICATE);
      [from, to] = [to, from];
    }
    return withColours(raster, from.data);
  });
}

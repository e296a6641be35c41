/** Finds regions that differ in colour from the image's border, for drawings and shapes that the network misses. */
import type { Raster } from '../raster.ts';
import { barrier, borderOf } from './barrier.ts';
import { opaque } from '../pixels/alpha.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';

/** Longer side at which colours are compared, in pixels. */
const side = 256;

/** Smallest difference between subject and border, in units of L*a*b*; less is texture or noise. */
const least = 14;

/** Returns likelihoods of 0–1, or null if nothing stands out. */
export async function contrast(image: Raster<3 | 4>): Promise<Plane | null> {
  const small = await resized(opaque(image), fitting(image, side, 3), 'mitchell');
  const { width, height } = small;
  const { data } = barrier(small, borderOf(width, height), 2);
  const split = threshold(data);
  const [inside, outside] = [mean(data, (value) => value > split), mean(data, (value) => value <= split)];
  if (!(inside - outside > least)) return null;
  const likely = (value: number) => 1 / (1 + Math.exp((-8 * (value - split)) / (inside - outside)));
  return plane(width, height, data.map(likely));
}

/** Returns Otsu's threshold, which best splits the values into low and high ones. */
function threshold(values: Float32Array): number {
  const most = values.reduce((highest, value) => Math.max(highest, value), 1e-6);
  return inOpenCv(({ cv, bytes, empty }) => {
    const levels = bytes(
      values.map((value) => Math.round((value / most) * 255)),
      values.length,
      1,
    );
    return ((cv.threshold(levels, empty(), 0, 255, cv.THRESH_OTSU) + 0.5) / 255) * most;
  });
}

function mean(values: Float32Array, counts: (value: number) => boolean): number {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (!counts(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** What stands out from the image's border by colour: for drawings and shapes that the network does not know. */
import type { Raster } from '../raster.ts';
import { barrier, borderOf } from './barrier.ts';
import { type Plane, plane } from './plane.ts';
import { fitting, opaque, reduced } from './reduced.ts';

const side = 256;

/** In units of L*a*b*: less between subject and border is texture or noise. */
const least = 14;

/** 0–1, or null where nothing stands out. */
export async function contrast(image: Raster<3 | 4>): Promise<Plane | null> {
  const small = await reduced(opaque(image), fitting(image, side));
  const { width, height } = small;
  const { data } = barrier(small, borderOf(width, height), 2);
  const split = threshold(data);
  const [inside, outside] = [mean(data, (value) => value > split), mean(data, (value) => value <= split)];
  if (!(inside - outside > least)) return null;
  const likely = (value: number) => 1 / (1 + Math.exp((-8 * (value - split)) / (inside - outside)));
  return plane(width, height, data.map(likely));
}

/** Otsu's: the value that splits best into low and high. */
function threshold(values: Float32Array): number {
  const most = values.reduce((highest, value) => Math.max(highest, value), 1e-6);
  const bins = new Float64Array(128);
  for (const value of values) bins[Math.min(127, Math.floor((value / most) * 128))]! += 1;
  const all = bins.reduce((sum, count, bin) => sum + count * bin, 0);
  let [count, sum, best, at] = [0, 0, -1, 0];
  for (let bin = 0; bin < 127; bin++) {
    count += bins[bin]!;
    sum += bins[bin]! * bin;
    const rest = values.length - count;
    if (count === 0 || rest === 0) continue;
    const between = count * rest * (sum / count - (all - sum) / rest) ** 2;
    if (between > best) [best, at] = [between, bin];
  }
  return ((at + 1) / 128) * most;
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

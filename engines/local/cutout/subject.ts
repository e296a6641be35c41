/** Finds the subject of an image as a soft mask: by its alpha, with the network, or by its contrast with the border. */
import { EngineError } from '../../contract/index.ts';
import { alphaOf, opaque } from '../pixels/alpha.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import { attention, certain } from './attention.ts';
import { barrier, borderOf } from './barrier.ts';
import { softEdges } from './edges.ts';
import { decided } from './grabcut.ts';

export interface Subject {
  mask: Raster<1>;
  /** The method that found the subject. */
  model: 'local/u2netp' | 'local/grabcut' | 'local/alpha';
}

/** Limits for the subject's share of the image: smaller is a speck, larger is the whole image. */
const smallest = 0.0008;
const largest = 0.985;

/** Finds the subject. An image that is already transparent keeps its own alpha. */
export async function subjectOf(image: Raster<3 | 4>): Promise<Subject> {
  const own = hasAlpha(image) ? ownAlpha(image) : null;
  if (own) return { mask: own, model: 'local/alpha' };
  const { map, peak } = await attention(image);
  const isSeen = peak >= certain;
  const likely = isSeen ? map : await contrast(image);
  if (!likely) throw noSubject();
  const cut = await decided(image, likely);
  const share = cut.data.reduce((sum, value) => sum + value, 0) / cut.data.length;
  if (share < smallest || share > largest) throw noSubject();
  return { mask: await softEdges(image, likely, cut), model: isSeen ? 'local/u2netp' : 'local/grabcut' };
}

function noSubject(): EngineError {
  return new EngineError('input_invalid', 'No subject stands out.', {
    publicMessage: 'No subject stands out from the background. Send an image with a clear subject.',
  });
}

const hasAlpha = (image: Raster<3 | 4>): image is Raster => image.channels === 4;

/** Returns the image's alpha if it hides more than a hundredth of the image, else null. */
function ownAlpha(image: Raster): Raster<1> | null {
  const alpha = alphaOf(image);
  const clear = alpha.data.reduce((count, value) => count + (value < 128 ? 1 : 0), 0);
  return clear > alpha.data.length * 0.01 ? alpha : null;
}

/** Longer side at which colours are compared, in pixels. */
const side = 256;

/** Smallest difference between subject and border, in units of L*a*b*; less is texture or noise. */
const least = 14;

/** Returns likelihoods of 0–1 for drawings and shapes that the network misses; null if nothing stands out. */
async function contrast(image: Raster<3 | 4>): Promise<Plane | null> {
  const small = await resized(opaque(image), fitting(image, side, 3), 'mitchell');
  const { width, height } = small;
  const { data } = barrier(small, borderOf(width, height), 2);
  const split = threshold(data);
  const [inside, outside] = [mean(data.filter((value) => value > split)), mean(data.filter((value) => value <= split))];
  if (!(inside - outside > least)) return null;
  const likely = (value: number) => 1 / (1 + Math.exp((-8 * (value - split)) / (inside - outside)));
  return plane(width, height, data.map(likely));
}

/** Returns Otsu's threshold, which best splits the values into low and high ones. */
function threshold(values: Float32Array): number {
  const most = values.reduce((highest, value) => Math.max(highest, value), 1e-6);
  return inOpenCv(({ cv, bytes, empty }) => {
    const levels = values.map((value) => Math.round((value / most) * 255));
    return ((cv.threshold(bytes(levels, levels.length, 1), empty(), 0, 255, cv.THRESH_OTSU) + 0.5) / 255) * most;
  });
}

const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

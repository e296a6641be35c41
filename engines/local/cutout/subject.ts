/** The subject of an image as a soft mask. */
import { EngineError } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { attention } from './attention.ts';
import { contrast } from './contrast.ts';
import { decided } from './decide.ts';
import { cutoutEdges, softEdges } from './edges.ts';
import { alphaOf } from '../pixels/alpha.ts';
import type { Plane } from '../pixels/plane.ts';
import { certain } from './u2netp.ts';

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
  const { likely, model } = await likelySubject(image);
  const cut = await decided(image, likely);
  const share = cut.data.reduce((sum, value) => sum + value, 0) / cut.data.length;
  if (share < smallest || share > largest) throw noSubject();
  return { mask: await softEdges(image, likely, cut, cutoutEdges), model };
}

/** Returns likelihoods of 0–1 at a reduced size. */
async function likelySubject(image: Raster<3 | 4>): Promise<{ likely: Plane; model: Subject['model'] }> {
  const { map, peak } = await attention(image);
  if (peak >= certain) return { likely: map, model: 'local/u2netp' };
  const likely = await contrast(image);
  if (!likely) throw noSubject();
  return { likely, model: 'local/grabcut' };
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

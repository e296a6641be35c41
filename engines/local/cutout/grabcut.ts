/** GrabCut: the cut between object and background that colours and edges agree on, from a first guess. */
import { EngineError } from '../../engine.ts';
import type { Raster } from '../raster.ts';
import { type Mat, opencv } from './opencv.ts';

/** OpenCV's words for what is known of a pixel. */
export const known = { background: 0, object: 1, maybeBackground: 2, maybeObject: 3 } as const;

/** @returns 1 on the object, 0 elsewhere */
export async function grabCut(image: Raster<3>, guess: Uint8Array, rounds = 5): Promise<Uint8Array> {
  if (!guess.some((value) => value & 1) || !guess.some((value) => !(value & 1))) {
    throw new EngineError('input_invalid', 'GrabCut needs both object and background to start from.', {
      publicMessage: 'No subject could be told from the background.',
    });
  }
  const { cv } = await opencv();
  const mats: Mat[] = [];
  const owned = (mat: Mat): Mat => {
    mats.push(mat);
    return mat;
  };
  try {
    const pixels = owned(cv.matFromArray(image.height, image.width, cv.CV_8UC3, image.data));
    const mask = owned(cv.matFromArray(image.height, image.width, cv.CV_8UC1, guess));
    // Its colour clusters start at random.
    cv.setRNGSeed(1);
    const box = new cv.Rect(0, 0, 1, 1);
    cv.grabCut(pixels, mask, box, owned(new cv.Mat()), owned(new cv.Mat()), rounds, cv.GC_INIT_WITH_MASK);
    return Uint8Array.from(mask.data, (value) => value & 1);
  } finally {
    for (const mat of mats) mat.delete();
  }
}

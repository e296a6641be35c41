/** Runs GrabCut: from a first guess, finds the cut between object and background that best fits colours and edges. */
import { EngineError } from '../../contract/index.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import type { Raster } from '../raster.ts';

/** OpenCV's numbers for what is known about a pixel. */
export const known = { background: 0, object: 1, maybeBackground: 2, maybeObject: 3 } as const;

/**
 * Returns 1 on the object and 0 elsewhere.
 * @throws EngineError `input_invalid` if the guess has no object or no background
 */
export function grabCut({ width, height, data }: Raster<3>, guess: Uint8Array, rounds = 5): Uint8Array {
  if (!guess.some((value) => value & 1) || !guess.some((value) => !(value & 1))) {
    throw new EngineError('input_invalid', 'GrabCut needs both object and background to start from.', {
      publicMessage: 'No background was found around the object. Add a point with label 0 on the background.',
    });
  }
  return inOpenCv(({ cv, bytes, empty }) => {
    const mask = bytes(guess, width, height);
    // A fixed seed, because the colour clusters of GrabCut start at random.
    cv.setRNGSeed(1);
    const box = new cv.Rect(0, 0, 1, 1);
    cv.grabCut(bytes(data, width, height, 3), mask, box, empty(), empty(), rounds, cv.GC_INIT_WITH_MASK);
    return mask.data.map((value) => value & 1);
  });
}

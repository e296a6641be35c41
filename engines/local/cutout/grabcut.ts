/** GrabCut: from a first guess, the cut between object and background that fits colours and edges best. */
import { EngineError } from '../../contract/index.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import type { Raster } from '../raster.ts';

/** OpenCV's numbers for what is known about a pixel. */
export const known = { background: 0, object: 1, maybeBackground: 2, maybeObject: 3 } as const;

/** @returns 1 on the object, 0 elsewhere */
export function grabCut({ width, height, data }: Raster<3>, guess: Uint8Array, rounds = 5): Uint8Array {
  if (!guess.some((value) => value & 1) || !guess.some((value) => !(value & 1))) {
    throw new EngineError('input_invalid', 'GrabCut needs both object and background to start from.', {
      publicMessage: 'No subject could be told from the background.',
    });
  }
  return inOpenCv(({ cv, bytes, empty }) => {
    const mask = bytes(guess, width, height);
    // Its colour clusters start at random.
    cv.setRNGSeed(1);
    const box = new cv.Rect(0, 0, 1, 1);
    cv.grabCut(bytes(data, width, height, 3), mask, box, empty(), empty(), rounds, cv.GC_INIT_WITH_MASK);
    return mask.data.map((value) => value & 1);
  });
}

/** Runs GrabCut, which finds the cut between object and background that best fits colours and edges. */
import { EngineError } from '../../contract/index.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { opaque } from '../pixels/alpha.ts';
import { withoutHoles, withoutSpecks } from '../pixels/parts.ts';
import { type Plane, plane, where } from '../pixels/plane.ts';
import { resizedPlane } from '../pixels/resample.ts';
import { fitting, resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';

/** OpenCV's numbers for what is known about a pixel. */
export const known = { background: 0, object: 1, maybeBackground: 2, maybeObject: 3 } as const;

/** Longer side, in pixels: GrabCut's time grows faster than the number of pixels. */
const side = 320;

/** Returns the image at the size for GrabCut. */
export function reducedForCut(image: Raster<3 | 4>): Promise<Raster<3>> {
  return resized(opaque(image), fitting(image, side, 3), 'mitchell');
}

/** Decides the doubtful pixels of a likelihood map. Returns 1 on the subject and 0 elsewhere, at a reduced size. */
export async function decided(image: Raster<3 | 4>, likely: Plane): Promise<Plane> {
  const small = await reducedForCut(image);
  const { width, height } = small;
  const map = resizedPlane(likely, width, height).data;
  const guess = new Uint8Array(
    map.map((value) => {
      if (value > 0.75) return known.object;
      if (value < 0.35) return known.background;
      return value > 0.5 ? known.maybeObject : known.maybeBackground;
    }),
  );
  const isSure = guess.includes(known.object) && guess.includes(known.background);
  const cut = isSure ? grabCut(small, guess, 3) : where(map, (value) => value > 0.5);
  const clean = withoutHoles(withoutSpecks(cut, width, height, 0.04), width, height, cut.length * 0.0004);
  return plane(width, height, Float32Array.from(clean));
}

/**
 * Returns 1 on the object and 0 elsewhere.
 * @throws EngineError `input_invalid` if the guess has no object or no background
 */
export function grabCut({ width, height, data }: Raster<3>, guess: Uint8Array, rounds: number): Uint8Array {
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

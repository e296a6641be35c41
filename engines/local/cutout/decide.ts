/** Decides the doubtful pixels of a likelihood map by their colours, with GrabCut. */
import type { Raster } from '../raster.ts';
import { grabCut, known } from './grabcut.ts';
import { withoutHoles, withoutSpecks } from '../pixels/parts.ts';
import { opaque } from '../pixels/alpha.ts';
import { type Plane, plane, where } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';
import { resizedPlane } from '../pixels/resample.ts';

/** Longer side, in pixels: GrabCut's time grows faster than the number of pixels. */
const side = 320;

/** Returns 1 on the subject and 0 elsewhere, at a reduced size. */
export async function decided(image: Raster<3 | 4>, likely: Plane): Promise<Plane> {
  const small = await resized(opaque(image), fitting(image, side, 3), 'mitchell');
  const { width, height } = small;
  const map = resizedPlane(likely, width, height).data;
  const plain = where(map, (value) => value > 0.5);
  const guess = new Uint8Array(
    map.map((value) => {
      if (value > 0.75) return known.object;
      if (value < 0.35) return known.background;
      return value > 0.5 ? known.maybeObject : known.maybeBackground;
    }),
  );
  const sure = guess.includes(known.object) && guess.includes(known.background);
  const cut = sure ? grabCut(small, guess, 3) : plain;
  const clean = withoutHoles(withoutSpecks(cut, width, height, 0.04), width, height, cut.length * 0.0004);
  return plane(width, height, Float32Array.from(clean));
}

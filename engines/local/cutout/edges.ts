/** Turns a coarse map of the subject into soft alpha that follows the image's edges at full size. */
import { maskOf, opaque } from '../pixels/alpha.ts';
import { guided } from '../pixels/guided.ts';
import { distanceTo } from '../pixels/parts.ts';
import { mapped, type Plane, plane, where } from '../pixels/plane.ts';
import { ramp, smoothstep } from '../pixels/range.ts';
import { resizedPlane } from '../pixels/resample.ts';
import { fitting, resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';

/** Width of the soft band along the contour, as a share of the longer side. */
const band = 0.006;

/** Longer side at which edges are computed; at full size they follow the image's own edges. */
const longest = 1024;

export const edgeSize = (image: Raster<3 | 4>) => fitting(image, longest, 3);

/** Passes of the guided filter; each carries known pixels further into the band, from both sides. */
const rounds = 6;

/**
 * Returns the subject's alpha at the image's size.
 * @param likely 0–1, of any size
 * @param decided 1 on the subject, of any size; it sets the pixels that are far from the contour
 * @param reach width of the band where `likely` is in doubt, as hair, fur or motion blur; a share of the longer side
 */
export async function softEdges(image: Raster<3 | 4>, likely: Plane, decided: Plane, reach = 0.04): Promise<Raster<1>> {
  const small = await resized(opaque(image), edgeSize(image), 'mitchell');
  const { width, height } = small;
  const side = Math.max(width, height);
  const map = resizedPlane(likely, width, height);
  const cut = resizedPlane(decided, width, height);
  const far = distanceToContour(cut);
  const unknown = new Uint8Array(width * height);
  const guess = new Float32Array(width * height);
  for (let i = 0; i < guess.length; i++) {
    const value = map.data[i]!;
    const doubt = value > 0.04 && value < 0.96;
    if (far[i]! > Math.max(2, (doubt ? reach : band) * side)) {
      guess[i] = Math.round(cut.data[i]!);
    } else {
      unknown[i] = 1;
      // Doubtful values would look like haze.
      guess[i] = smoothstep(0.12, 0.88, value + (cut.data[i]! - value) * 0.8 * (1 - Math.abs(2 * value - 1)));
    }
  }
  let alpha = plane(width, height, guess);
  for (let round = 0; round < rounds; round++) {
    const fit = guided(alpha, small, small, Math.max(3, Math.round(0.004 * side)), 1e-4);
    alpha = mapped(alpha, (value, i) => (unknown[i] ? fit.data[i]! / 255 : value));
  }
  // Values near 0 and 1 are noise of the estimate.
  const settled = mapped(alpha, (value) => ramp(0.06, 0.94, value));
  if (width === image.width && height === image.height) return maskOf(settled);
  return guided(settled, small, image, 2, 1e-5);
}

function distanceToContour({ data, width, height }: Plane): Float32Array {
  const inside = where(data, (value) => value > 0.5);
  const outside = inside.map((value) => 1 - value);
  const [outward, inward] = [distanceTo(inside, width, height), distanceTo(outside, width, height)];
  return outward.map((distance, i) => Math.max(distance, inward[i]!));
}

/** Guesses the depth behind the subject from its surroundings, so that no halo of depth appears around it. */
import { boxMean } from '../pixels/blur.ts';
import { mapped, type Plane } from '../pixels/plane.ts';

/** Radii of the surroundings, in pixels; the smallest with known depth is used. */
const radii = [4, 10, 25, 60, 150, 400];

/** @param mask 1 on the subject */
export function behind(depth: Plane, mask: Plane): Plane {
  const seen = mapped(boxMean(mask, 2), (value) => (value < 0.02 ? 1 : 0));
  const out = mapped(depth, (value) => value);
  const known = mapped(depth, (value, i) => value * seen.data[i]!);
  const missing = seen.data.map((value) => 1 - value);
  for (const radius of radii) {
    const [sum, share] = [boxMean(known, radius), boxMean(seen, radius)];
    for (let i = 0; i < missing.length; i++) {
      if (!missing[i] || share.data[i]! < 0.02) continue;
      out.data[i] = sum.data[i]! / share.data[i]!;
      missing[i] = 0;
    }
  }
  return out;
}

/** The scenery behind the subject, guessed from what is seen around it: so its depth does not glow around the subject. */
import { boxMean } from '../pixels/blur.ts';
import { mapped, type Plane } from '../pixels/plane.ts';

/** The nearest surroundings that there are count, in pixels. */
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

/** The scenery behind the subject, guessed from what is seen around it: so its depth does not glow around the subject. */
import { boxMean, type Plane, plane } from '../cutout/plane.ts';

/** The nearest surroundings that there are count, in pixels. */
const radii = [4, 10, 25, 60, 150, 400];

/** @param mask 1 on the subject */
export function behind(depth: Plane, mask: Plane): Plane {
  const { width, height } = depth;
  const near = boxMean(mask, 2);
  const seen = plane(
    width,
    height,
    near.data.map((value) => (value < 0.02 ? 1 : 0)),
  );
  const out = plane(width, height, depth.data.slice());
  const known = plane(
    width,
    height,
    depth.data.map((value, i) => value * seen.data[i]!),
  );
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

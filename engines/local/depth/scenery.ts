/** Estimates how near the scenery is, from ground, haze and focus, also behind the subject. */
import { boxMean } from '../pixels/blur.ts';
import { lumaOf } from '../pixels/luma.ts';
import { extreme } from '../pixels/parts.ts';
import { mapped, type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { groundDepth } from './ground.ts';

/** Returns depth of 0–1, where 1 is near. */
export function sceneryDepth(small: Raster<3>, sky: Plane, horizon: number, subject: Plane | null): Plane {
  const [haze, focus] = [hazeOf(small), focusOf(small, subject)];
  const depth = mapped(groundDepth(small, horizon), (ground, i) => {
    const cues = ground - 0.25 * haze.data[i]! + 0.3 * focus.data[i]!;
    return (1 - sky.data[i]!) * Math.max(0.05, cues);
  });
  return boxMean(depth, 1);
}

/** Measures haze by the dark channel of He, Sun and Tang: 0 near black or pure colours, 1 where everything is white. */
function hazeOf({ width, height, data }: Raster<3>): Plane {
  const dark = mapped(plane(width, height), (_, i) => Math.min(data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!) / 255);
  return boxMean(plane(width, height, extreme('least', dark.data, width, height, 4)), 4);
}

/**
 * Returns the focus of −0.5 (blurred) to 0.5 (sharp): a lens blurs what is in front of and behind its subject. An even
 * area looks the same in and out of focus, and gives 0.
 * @param subject 1 on the subject, which is ignored with its surroundings: its outline is sharp whatever is behind it
 */
function focusOf({ width, height, data }: Raster<3>, subject: Plane | null): Plane {
  const light = plane(width, height, lumaOf(data));
  const soft = boxMean(light, 1, 2);
  const softer = boxMean(soft, 3, 2);
  const outline = subject && boxMean(subject, 6).data;
  const radius = Math.round(Math.max(width, height) / 24);
  const energy = (a: Plane, b: Plane) => {
    const squares = mapped(a, (value, i) => (outline && outline[i]! > 0.01 ? 0 : (value - b.data[i]!) ** 2));
    return boxMean(squares, radius);
  };
  const coarse = energy(soft, softer);
  return mapped(energy(light, soft), (fine, i) => {
    // Rounding can make means slightly negative.
    const coarser = Math.sqrt(Math.max(0, coarse.data[i]!));
    const sharpness = Math.min(1, Math.sqrt(Math.max(0, fine)) / (coarser + 1) / 0.6);
    return Math.min(1, coarser / 10) * (sharpness - 0.5);
  });
}

/** Radii of the surroundings, in pixels; the smallest with known depth is used. */
const radii = [4, 10, 25, 60, 150, 400];

/**
 * Guesses the depth behind the subject from its surroundings, so that no halo of depth appears around it.
 * @param mask 1 on the subject
 */
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

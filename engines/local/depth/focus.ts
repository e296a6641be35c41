/** Measures how sharp each part of an image is: a lens blurs what is in front of and behind its subject. */
import { boxMean } from '../pixels/blur.ts';
import { mapped, type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { lumaOf } from '../pixels/luma.ts';

/**
 * Returns sharpness of 0–1 and its evidence: an even area looks the same in and out of focus.
 * @param subject 1 where to ignore the image: the subject's outline is sharp whatever is behind it
 */
export function focusOf(
  { width, height, data }: Raster<3>,
  subject: Plane | null,
): { sharpness: Plane; evidence: Plane } {
  const light = plane(width, height, lumaOf(data));
  const soft = boxMean(light, 1, 2);
  const softer = boxMean(soft, 3, 2);
  const fine = energy(light, soft);
  const coarse = energy(soft, softer);
  const outline = subject ? boxMean(subject, 6).data : null;
  for (let i = 0; outline && i < outline.length; i++) if (outline[i]! > 0.01) fine.data[i] = coarse.data[i] = 0;
  const radius = Math.round(Math.max(width, height) / 24);
  const [fineAround, coarseAround] = [boxMean(fine, radius), boxMean(coarse, radius)];
  const sharpness = plane(width, height);
  const evidence = plane(width, height);
  for (let i = 0; i < sharpness.data.length; i++) {
    // Rounding can make means slightly negative.
    const coarser = Math.sqrt(Math.max(0, coarseAround.data[i]!));
    sharpness.data[i] = Math.min(1, Math.sqrt(Math.max(0, fineAround.data[i]!)) / (coarser + 1) / 0.6);
    evidence.data[i] = Math.min(1, coarser / 10);
  }
  return { sharpness, evidence };
}

function energy(a: Plane, b: Plane): Plane {
  return mapped(a, (value, i) => (value - b.data[i]!) ** 2);
}

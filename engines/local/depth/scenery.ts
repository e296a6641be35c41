/** Estimates how near the scenery is, from ground, haze and focus. */
import { boxMean } from '../pixels/blur.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { hazeOf } from './air.ts';
import { focusOf } from './focus.ts';
import { groundDepth } from './ground.ts';

/** Returns depth of 0–1, where 1 is near. */
export function sceneryDepth(small: Raster<3>, sky: Plane, horizon: number, subject: Plane | null): Plane {
  const ground = groundDepth(small, horizon);
  const haze = hazeOf(small);
  const { sharpness, evidence } = focusOf(small, subject);
  const depth = plane(small.width, small.height);
  for (let i = 0; i < depth.data.length; i++) {
    const air = -0.25 * haze.data[i]!;
    const focus = 0.3 * evidence.data[i]! * (sharpness.data[i]! - 0.5);
    depth.data[i] = (1 - sky.data[i]!) * Math.max(0.05, ground.data[i]! + air + focus);
  }
  return boxMean(depth, 1);
}

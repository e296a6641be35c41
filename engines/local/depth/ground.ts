/** Models the ground as receding upwards; an object is as near as its foot. */
import { type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { segments } from './segments.ts';
import { clamp } from '../pixels/range.ts';

/** Returns how near the ground is in a row, 0–1; rows are counted 0–1 from above. */
export const nearness = (row: number, horizon: number): number => {
  const below = Math.max(0, (row - horizon) / (1 - horizon));
  const above = Math.min(1, row / Math.max(0.05, horizon));
  return 0.12 * above + 0.88 * below;
};

interface Part {
  left: number;
  right: number;
  top: number;
  bottom: number;
  size: number;
}

/** Returns how near the ground and the objects on it are. @param horizon 0–1 from above */
export function groundDepth(image: Raster<3>, horizon: number): Plane {
  const { width, height } = image;
  const numbers = segments(image);
  const parts = new Map<number, Part>();
  for (let i = 0; i < numbers.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const part = parts.get(numbers[i]!) ?? { left: x, right: x, top: y, bottom: y, size: 0 };
    part.left = Math.min(part.left, x);
    part.right = Math.max(part.right, x);
    part.bottom = y;
    part.size++;
    parts.set(numbers[i]!, part);
  }
  const depth = plane(width, height);
  for (let i = 0; i < numbers.length; i++) {
    const row = Math.floor(i / width);
    const part = parts.get(numbers[i]!)!;
    const lying = nearness(row / (height - 1), horizon);
    const standing = nearness(part.bottom / (height - 1), horizon);
    depth.data[i] = lying + (standing - lying) * uprightness(part, width, height);
  }
  return depth;
}

/** Returns 0–1: ground spans the width or touches the lower edge; a standing object is compact. */
function uprightness({ left, right, top, bottom, size }: Part, width: number, height: number): number {
  const [across, down] = [right - left + 1, bottom - top + 1];
  const compact = size / (across * down);
  const wide = clamp((across / width - 0.35) / 0.3);
  const grounded = bottom >= height - 2 && size > 0.03 * width * height ? 1 : 0;
  return Math.min(1, compact * 1.6) * Math.min(1, (1.4 * down) / across) * (1 - wide) * (1 - grounded);
}

/** Soft edges for masks. */
import { boxBlur } from '../pixels/blur.ts';
import { clamp } from '../pixels/range.ts';

/** Softens the share towards the end of the covered area, but not at the image's edge. */
export function feather(share: Float32Array, covered: Uint8Array, width: number, height: number): void {
  const radius = Math.max(1, Math.round(Math.max(width, height) * 0.02));
  const soft = boxBlur(Float32Array.from(covered), width, height, radius, 2);
  for (let at = 0; at < share.length; at++) share[at]! *= clamp(2 * soft[at]! - 1);
}

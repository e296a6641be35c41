/** The refiner `face-clarity`: restores lost detail with a network, and raises contrast where it counts. */
import type { Closeup } from './closeup.ts';
import { boxBlur } from '../pixels/blur.ts';
import { lengthOf } from './masks.ts';
import { type Planes, withBrightness } from './planes.ts';
import { restore } from './restore.ts';

/** @param network `thick` shows more, and takes seconds for each face */
export async function clarity(face: Closeup, network: 'slim' | 'thick'): Promise<Planes> {
  const restored = await restore(face.image, network);
  const { width, height, y } = restored;
  const fine = boxBlur(y, width, height, Math.max(1, Math.round(lengthOf(face) / 250)), 2);
  const wide = boxBlur(y, width, height, Math.max(2, Math.round(lengthOf(face) / 24)), 2);
  return withBrightness(restored, (value, at) => {
    const edge = value - fine[at]!;
    const form = fine[at]! - wide[at]!;
    // Strong edges get less, so that they get no halo.
    return value + (0.5 * edge) / (1 + 12 * Math.abs(edge)) + (0.14 * form) / (1 + 6 * Math.abs(form));
  });
}

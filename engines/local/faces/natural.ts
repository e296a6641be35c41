/** The refiner `face-natural`: less noise, a little crisper, nothing that shows. */
import type { Closeup } from './closeup.ts';
import { smoothstep } from '../pixels/range.ts';
import { boxBlur } from '../pixels/blur.ts';
import { lengthOf } from './masks.ts';
import type { Planes } from './planes.ts';
import { restore } from './restore.ts';
import { smoothed } from '../pixels/guided.ts';
import { grain } from './grain.ts';

export async function natural(face: Closeup): Promise<Planes> {
  const restored = await restore(face.image, 'slim', 0.6);
  const { width, height } = restored;
  const noise = grain(restored.y, width, height);
  // Below a hundredth it is the skin's own structure.
  const noisy = smoothstep(0.008, 0.025, noise);
  const y = smoothed({ width, height, data: restored.y }, 2, noise * (1 + 1.5 * noisy));
  const radius = Math.max(2, Math.round(lengthOf(face) / 100));
  const colour = (plane: Float32Array) =>
    smoothed({ width, height, data: plane }, radius, Math.min(0.05, 0.01 + 1.5 * noise));
  const fine = boxBlur(y, width, height, Math.max(1, Math.round(lengthOf(face) / 300)), 2);
  const crisp = y.map(
    (value, at) => value + (0.4 * (1 - noisy) * (value - fine[at]!)) / (1 + 10 * Math.abs(value - fine[at]!)),
  );
  return { width, height, y: crisp, cb: colour(restored.cb), cr: colour(restored.cr) };
}

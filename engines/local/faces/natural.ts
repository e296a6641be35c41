/** The refiner `face-natural`: less noise and a little more sharpness, without a visible effect. */
import type { Closeup } from './closeup.ts';
import { smoothstep } from '../pixels/range.ts';
import { boxBlur } from '../pixels/blur.ts';
import { lengthOf } from './masks.ts';
import type { Planes } from './planes.ts';
import { restore } from './restore.ts';
import { smoothed } from '../pixels/guided.ts';

export async function natural(face: Closeup): Promise<Planes> {
  const restored = await restore(face.image, 'slim', 0.6);
  const { width, height } = restored;
  const noise = grain(restored.y, width, height);
  // Less than about 0.01 is the skin's own structure.
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

/** Estimates the deviation of noise from the differences of neighbouring pixels in calm areas. */
function grain(plane: Float32Array, width: number, height: number): number {
  const differences: number[] = [];
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 1; x < width - 1; x += 2) {
      const at = y * width + x;
      const cross = plane[at - 1]! + plane[at + 1]! + plane[at - width]! + plane[at + width]!;
      differences.push(Math.abs(plane[at]! - cross / 4));
    }
  }
  differences.sort((a, b) => a - b);
  // The lower quartile is 0.32 of the deviation; the mean of four neighbours adds a quarter to the variance.
  return (differences[differences.length >> 2] ?? 0) / 0.32 / Math.sqrt(1.25);
}

/** Smoothing that keeps edges: He's guided filter, guided by the plane itself. */
import { blur } from './blur.ts';

/** Variations smaller than `strength` (0–1) go, larger ones stay. */
export function smooth(
  plane: Float32Array,
  width: number,
  height: number,
  radius: number,
  strength: number,
): Float32Array {
  const mean = blur(plane, width, height, radius, 1);
  const squares = blur(
    plane.map((value) => value * value),
    width,
    height,
    radius,
    1,
  );
  const slope = squares.map((square, at) => {
    const variance = Math.max(0, square - mean[at]! ** 2);
    return variance / (variance + strength * strength);
  });
  const offset = slope.map((own, at) => mean[at]! * (1 - own));
  const [a, b] = [blur(slope, width, height, radius, 1), blur(offset, width, height, radius, 1)];
  return plane.map((value, at) => value * a[at]! + b[at]!);
}

/** Grain: how much neighbouring pixels differ where nothing is to be seen, as in the calmer half of the plane. */
export function grain(plane: Float32Array, width: number, height: number): number {
  const differences: number[] = [];
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 1; x < width - 1; x += 2) {
      const at = y * width + x;
      const cross = plane[at - 1]! + plane[at + 1]! + plane[at - width]! + plane[at + width]!;
      differences.push(Math.abs(plane[at]! - cross / 4));
    }
  }
  differences.sort((a, b) => a - b);
  // A quarter of the way up; for a bell curve that is 0.32 of its width, and the mean of four adds a quarter.
  return (differences[differences.length >> 2] ?? 0) / 0.32 / Math.sqrt(1.25);
}

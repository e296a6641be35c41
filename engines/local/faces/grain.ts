/** How grainy a face is. */

/** Returns how much neighbouring pixels differ in the calmer half of the plane. */
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

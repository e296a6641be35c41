/** Divides the picture into cells around jittered points: panes and tesserae. */
import type { Canvas } from '../canvas.ts';
import type { Colour } from '../colour.ts';
import { lattice } from '../noise.ts';

/**
 * Returns, per pixel, the number of its cell, the distance to the next cell in pixels, and the cell's mean colour.
 * @param jitter 0 is a square grid, 1 wholly irregular
 */
export function cells({ width, height, rgb }: Canvas, size: number, jitter: number, seed: number) {
  // A margin of one cell on each side, so that every pixel has eight cells around its own.
  const columns = Math.ceil(width / size) + 2;
  const count = columns * (Math.ceil(height / size) + 2);
  const [xs, ys] = [new Float32Array(count), new Float32Array(count)];
  for (let k = 0; k < count; k++) {
    const [i, j] = [k % columns, Math.floor(k / columns)];
    xs[k] = (i - 0.5 + (lattice(i, j, seed) - 0.5) * jitter) * size;
    ys[k] = (j - 0.5 + (lattice(i, j, seed + 1) - 0.5) * jitter) * size;
  }
  const around = [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((i) => j * columns + i));
  const id = new Int32Array(width * height);
  const edge = new Float32Array(width * height);
  /** Red, green, blue and the number of pixels of each cell. */
  const sums = new Float32Array(count * 4);
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++, p++) {
      const own = (Math.floor(y / size) + 1) * columns + Math.floor(x / size) + 1;
      let first = Infinity;
      let second = Infinity;
      let at = 0;
      let next = 0;
      for (let n = 0; n < 9; n++) {
        const k = own + around[n]!;
        const d = (xs[k]! - x) ** 2 + (ys[k]! - y) ** 2;
        if (d < first) {
          second = first;
          next = at;
          first = d;
          at = k;
        } else if (d < second) {
          second = d;
          next = k;
        }
      }
      id[p] = at;
      edge[p] = (second - first) / (2 * Math.sqrt((xs[next]! - xs[at]!) ** 2 + (ys[next]! - ys[at]!) ** 2));
      for (let c = 0; c < 3; c++) sums[at * 4 + c]! += rgb[p * 3 + c]!;
      sums[at * 4 + 3]!++;
    }
  const colour = (i: number): Colour => {
    const k = id[i]! * 4;
    return [sums[k]! / sums[k + 3]!, sums[k + 1]! / sums[k + 3]!, sums[k + 2]! / sums[k + 3]!];
  };
  return { id, edge, colour };
}

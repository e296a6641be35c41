/** Divides the picture into cells around jittered points: panes and tesserae. */
import type { Canvas } from '../canvas.ts';
import { lattice } from '../noise.ts';
import { meansOf } from './means.ts';

/**
 * Returns, per pixel, the number of its cell, the distance to the next cell in pixels, and the cell's mean colour.
 * @param jitter 0 gives a square grid, 1 a fully irregular one
 */
export function cells(canvas: Canvas, size: number, jitter: number, seed: number) {
  const { width, height } = canvas;
  // Adds a margin of one cell on each side, so that the cell of every pixel has eight neighbours.
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
    }
  const colour = meansOf(canvas, id);
  return { id, edge, colour: (i: number) => colour(id[i]!) };
}

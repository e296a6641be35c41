/** Divides the picture into cells around jittered points: panes and tesserae. */
import type { Canvas } from '../canvas.ts';
import type { Colour } from '../colour.ts';
import { lattice } from '../noise.ts';

export interface Cells {
  /** The number of each pixel's cell. */
  readonly id: Int32Array;
  /** Distance to the border with the next cell, in pixels. */
  readonly edge: Float32Array;
  /** Returns the mean colour of a pixel's cell. */
  readonly colour: (i: number) => Colour;
}

/** @param jitter 0 is a square grid, 1 wholly irregular */
export function cells({ width, height, rgb }: Canvas, size: number, jitter: number, seed: number): Cells {
  const columns = Math.ceil(width / size) + 2;
  const rows = Math.ceil(height / size) + 2;
  const place = (s: number, at: (k: number) => number) =>
    Float32Array.from({ length: columns * rows }, (_, k) => {
      const off = (lattice(k % columns, Math.floor(k / columns), s) - 0.5) * jitter;
      return (at(k) - 0.5 + off) * size;
    });
  const px = place(seed, (k) => k % columns);
  const py = place(seed + 1, (k) => Math.floor(k / columns));
  const id = new Int32Array(width * height);
  const edge = new Float32Array(width * height);
  const sums = new Float32Array(columns * rows * 4);
  for (let y = 0, p = 0; y < height; y++) {
    const j = Math.floor(y / size) + 1;
    for (let x = 0; x < width; x++, p++) {
      const i = Math.floor(x / size) + 1;
      let first = Infinity;
      let second = Infinity;
      let at = 0;
      let next = 0;
      for (let cj = j - 1; cj <= Math.min(rows - 1, j + 1); cj++)
        for (let ci = i - 1; ci <= Math.min(columns - 1, i + 1); ci++) {
          const k = cj * columns + ci;
          const d = (px[k]! - x) ** 2 + (py[k]! - y) ** 2;
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
      const apart = Math.sqrt((px[next]! - px[at]!) ** 2 + (py[next]! - py[at]!) ** 2) || 1;
      edge[p] = (second - first) / (2 * apart);
      for (let c = 0; c < 3; c++) sums[at * 4 + c]! += rgb[p * 3 + c]!;
      sums[at * 4 + 3]!++;
    }
  }
  return {
    id,
    edge,
    colour: (i) => {
      const k = id[i]! * 4;
      return [sums[k]! / sums[k + 3]!, sums[k + 1]! / sums[k + 3]!, sums[k + 2]! / sums[k + 3]!];
    },
  };
}

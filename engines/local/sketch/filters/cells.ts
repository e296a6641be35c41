/** Divides the picture into cells around jittered points: panes, tesserae, dots. */
import type { Canvas } from '../canvas.ts';
import { lattice } from '../noise.ts';

export interface Cells {
  /** For every pixel the number of its cell. */
  readonly id: Int32Array;
  /** Distance to the border with the next cell, in pixels. */
  readonly edge: Float32Array;
  /** Mean colour of each cell, interleaved. */
  readonly colour: Float32Array;
  readonly count: number;
}

/** `jitter` 0 is a square grid, 1 wholly irregular. */
export function cells(canvas: Canvas, size: number, jitter: number, seed: number): Cells {
  const { width, height, rgb } = canvas;
  const columns = Math.ceil(width / size) + 2;
  const rows = Math.ceil(height / size) + 2;
  const count = columns * rows;
  const px = new Float32Array(count);
  const py = new Float32Array(count);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      px[j * columns + i] = (i - 0.5 + (lattice(i, j, seed) - 0.5) * jitter) * size;
      py[j * columns + i] = (j - 0.5 + (lattice(i, j, seed + 1) - 0.5) * jitter) * size;
    }
  const id = new Int32Array(width * height);
  const edge = new Float32Array(width * height);
  const colour = new Float32Array(count * 3);
  const members = new Uint32Array(count);
  for (let y = 0; y < height; y++) {
    const j = Math.floor(y / size) + 1;
    for (let x = 0; x < width; x++) {
      const i = Math.floor(x / size) + 1;
      let [first, second, at, next] = [Infinity, Infinity, 0, 0];
      for (let dj = -1; dj <= 1; dj++)
        for (let di = -1; di <= 1; di++) {
          const [ci, cj] = [i + di, j + dj];
          if (ci < 0 || cj < 0 || ci >= columns || cj >= rows) continue;
          const k = cj * columns + ci;
          const d = (px[k]! - x) ** 2 + (py[k]! - y) ** 2;
          if (d < first) [second, next, first, at] = [first, at, d, k];
          else if (d < second) [second, next] = [d, k];
        }
      const p = y * width + x;
      id[p] = at;
      const apart = Math.hypot(px[next]! - px[at]!, py[next]! - py[at]!) || 1;
      edge[p] = (second - first) / (2 * apart);
      members[at]!++;
      for (let c = 0; c < 3; c++) colour[at * 3 + c] = colour[at * 3 + c]! + rgb[p * 3 + c]!;
    }
  }
  for (let k = 0; k < count; k++)
    for (let c = 0; c < 3; c++) colour[k * 3 + c] = colour[k * 3 + c]! / Math.max(1, members[k]!);
  return { id, edge, colour, count };
}

/** Divides the picture into cells around jittered points: panes and tesserae. */
import { distanceTo } from '../../pixels/parts.ts';
import type { Canvas } from '../canvas.ts';
import { lattice } from '../noise.ts';
import { borders } from './edges.ts';
import { meansOf } from './means.ts';

/**
 * Returns each pixel's cell (`id`), its distance to the next cell in pixels (`edge`), and its cell's mean `colour`.
 * @param jitter 0 gives a square grid, 1 a fully irregular one
 */
export function cells(canvas: Canvas, size: number, jitter: number, seed: number) {
  const { width, height } = canvas;
  // Adds a margin of one cell on each side, so that the cell of every pixel has eight neighbours.
  const columns = Math.ceil(width / size) + 2;
  const points = Array.from({ length: columns * (Math.ceil(height / size) + 2) }, (_, k) => {
    const [i, j] = [k % columns, Math.floor(k / columns)];
    const [right, down] = [(lattice(i, j, seed) - 0.5) * jitter, (lattice(i, j, seed + 1) - 0.5) * jitter];
    return { x: (i - 0.5 + right) * size, y: (j - 0.5 + down) * size };
  });
  const around = [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((i) => j * columns + i));
  const id = new Int32Array(width * height).map((_, p) => {
    const [x, y] = [p % width, Math.floor(p / width)];
    const own = (Math.floor(y / size) + 1) * columns + Math.floor(x / size) + 1;
    let [nearest, least] = [own, Infinity];
    for (const step of around) {
      const point = points[own + step]!;
      const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (distance < least) [nearest, least] = [own + step, distance];
    }
    return nearest;
  });
  const colour = meansOf(canvas, id);
  return { id, edge: distanceTo(borders(id, width), width, height), colour: (i: number) => colour(id[i]!) };
}

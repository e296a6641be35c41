/** Finds the shape of one face: 468 points on its surface, with MediaPipe's face mesh. */
import type { Raster } from '../raster.ts';
import { run } from './backend.ts';
import { place, sample, type Square } from './sample.ts';

/** x and y in pixels of the image; z in the same unit, smaller is nearer to the viewer. */
export type Point3 = readonly [x: number, y: number, z: number];

const side = 192;
/** The model was trained on faces that fill two thirds of its square. */
const margin = 1.5;

/** Returns the points, and the model's confidence that this is a face, 0–1. */
export async function findMesh(image: Raster<3 | 4>, square: Square) {
  const pixels = sample(image, square, side, 1 / 255);
  const [flat, score] = (await run('facemesh', pixels, 468 * 3, 1)) as [Float32Array, Float32Array];
  const points = Array.from({ length: 468 }, (_, k): Point3 => {
    const [x, y] = place(square, flat[k * 3]! / side, flat[k * 3 + 1]! / side);
    return [x, y, (flat[k * 3 + 2]! / side) * square.size];
  });
  return { points, score: score[0]! };
}

/** Returns the face's square: upright by the outer corners of the eyes, with room around the mesh. */
export function squareOf(points: readonly Point3[], room = margin): Square {
  const [right, left] = [points[33]!, points[263]!];
  const angle = Math.atan2(left[1] - right[1], left[0] - right[0]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const across = points.map(([x, y]) => x * cos + y * sin);
  const down = points.map(([x, y]) => y * cos - x * sin);
  const [x0, x1, y0, y1] = [Math.min(...across), Math.max(...across), Math.min(...down), Math.max(...down)];
  const [u, v] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return { x: u * cos - v * sin, y: u * sin + v * cos, size: room * Math.max(x1 - x0, y1 - y0), angle };
}

/** Faces and heads as likelihoods, from the face mesh. */
import type { Raster } from '../raster.ts';
import type { Face } from '../vision/faces.ts';
import { type Plane, plane } from './plane.ts';
import { fitting } from './reduced.ts';

const side = 1024;

/** Inside of the outline of each mesh. */
export function facePlane(image: Raster<3 | 4>, faces: readonly Face[]): Plane {
  const { width, height } = fitting(image, side);
  const out = plane(width, height);
  for (const { mesh } of faces) {
    const outline = hull(mesh.map(([x, y]) => [(x * width) / image.width, (y * height) / image.height]));
    fill(out, outline);
  }
  return out;
}

/** Ovals from the shoulders to over the hair: to be cut with the subject. */
export function headPlane({ width, height }: Plane, image: Raster<3 | 4>, faces: readonly Face[]): Plane {
  const out = plane(width, height);
  for (const { box } of faces) {
    const [rx, up, down] = [0.95 * box.width, 1.05 * box.height, 0.56 * box.height];
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let i = 0; i < out.data.length; i++) {
      const x = (((i % width) + 0.5) * image.width) / width - cx;
      const y = ((Math.floor(i / width) + 0.5) * image.height) / height - cy;
      if ((x / rx) ** 2 + (y / (y < 0 ? up : down)) ** 2 <= 1) out.data[i] = 1;
    }
  }
  return out;
}

type Corner = readonly [number, number];

/** Andrew's monotone chain. */
function hull(points: readonly Corner[]): Corner[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly Corner[]) => {
    const chain: Corner[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

function turn(a: Corner, b: Corner, c: Corner): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** A convex outline, its edge smoothed over one pixel. */
function fill({ width, height, data }: Plane, outline: readonly Corner[]): void {
  const sides = outline.map((from, k) => {
    const to = outline[(k + 1) % outline.length]!;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    return { from, nx: -(to[1] - from[1]) / length, ny: (to[0] - from[0]) / length };
  });
  const rows = outline.map((corner) => corner[1]);
  const columns = outline.map((corner) => corner[0]);
  const [top, bottom] = [Math.max(0, Math.floor(Math.min(...rows)) - 1), Math.min(height, Math.max(...rows) + 2)];
  const [left, right] = [Math.max(0, Math.floor(Math.min(...columns)) - 1), Math.min(width, Math.max(...columns) + 2)];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      let inside = Infinity;
      for (const { from, nx, ny } of sides) {
        inside = Math.min(inside, (x + 0.5 - from[0]) * nx + (y + 0.5 - from[1]) * ny);
      }
      const i = y * width + x;
      data[i] = Math.max(data[i]!, Math.min(1, Math.max(0, inside + 0.5)));
    }
  }
}

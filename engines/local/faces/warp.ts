/** Draws a mesh of triangles and interpolates the values at their corners for each pixel. */
import type { Point3 } from '../vision/mesh.ts';

export interface Drawn<Name extends string> {
  /** 1 where the mesh covers a pixel. */
  covered: Uint8Array;
  /** One plane for each interpolated value. */
  planes: Record<Name, Float32Array>;
}

/** Where parts of the mesh overlap, the nearer one (smaller z) is visible. */
export function drawMesh<Name extends string = never>(
  points: readonly Point3[],
  triangles: readonly number[],
  values: Readonly<Record<Name, readonly number[]>>,
  width: number,
  height: number,
): Drawn<Name> {
  const covered = new Uint8Array(width * height);
  const depth = new Float32Array(width * height).fill(Infinity);
  const layers = (Object.entries(values) as [Name, readonly number[]][]).map(([name, value]) => ({
    name,
    value,
    plane: new Float32Array(width * height),
  }));
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const;
    const [a, b, c] = corners.map((corner) => points[corner]!) as [Point3, Point3, Point3];
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area === 0) continue;
    const [x0, x1] = span(a[0], b[0], c[0], width);
    const [y0, y1] = span(a[1], b[1], c[1], height);
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const [px, py] = [x + 0.5, y + 0.5];
        const u = ((b[0] - px) * (c[1] - py) - (b[1] - py) * (c[0] - px)) / area;
        const v = ((c[0] - px) * (a[1] - py) - (c[1] - py) * (a[0] - px)) / area;
        const w = 1 - u - v;
        // The tolerance keeps pixels from falling between two triangles.
        if (u < -1e-6 || v < -1e-6 || w < -1e-6) continue;
        const at = y * width + x;
        const z = u * a[2] + v * b[2] + w * c[2];
        if (z >= depth[at]!) continue;
        depth[at] = z;
        covered[at] = 1;
        for (const { value, plane } of layers) {
          plane[at] = u * value[corners[0]]! + v * value[corners[1]]! + w * value[corners[2]]!;
        }
      }
    }
  }
  const planes = Object.fromEntries(layers.map(({ name, plane }) => [name, plane])) as Record<Name, Float32Array>;
  return { covered, planes };
}

function span(a: number, b: number, c: number, length: number): [number, number] {
  return [Math.max(0, Math.floor(Math.min(a, b, c) - 0.5)), Math.min(length - 1, Math.ceil(Math.max(a, b, c) - 0.5))];
}

/** Measures points of the face mesh: distance to the outline and to features, and visibility. */
import { clamp } from '../pixels/range.ts';
import type { Point3 } from '../vision/mesh.ts';
import { brow, eye, lips, lowerLip, outline, topology, upperLip } from './topology.ts';

type Flat = readonly [number, number];

/** Adds the points of the other half of the face. */
export const both = (points: readonly number[]) => [...points, ...points.map((point) => topology().mirrored[point]!)];

/** Returns each point's distance from the face's outline, on the unrolled face. */
export function depths(): number[] {
  const { flat } = topology();
  const ring = outline.map((point) => flat[point]!);
  return flat.map((point) => Math.min(...ring.map((a, k) => toSegment(point, a, ring[(k + 1) % ring.length]!))));
}

/** Returns the upper end of the brows on the unrolled face. */
export function browLine(): number {
  return Math.min(...both(brow).map((point) => topology().flat[point]![1]));
}

/** Returns each point's distance from the nearest of some points, on the unrolled face. */
export function distancesTo(points: readonly number[]): number[] {
  const { flat } = topology();
  return flat.map(([u, v]) => Math.min(...points.map((point) => Math.hypot(flat[point]![0] - u, flat[point]![1] - v))));
}

/** Returns each point's distance from eyes, brows and lips. */
export const clearances = () => distancesTo([...both(eye), ...both(brow), ...lips, ...upperLip, ...lowerLip]);

/** Returns how much each point faces the viewer: 1 frontal, 0 from the side, less if hidden. */
export function facing(points: readonly Point3[]): number[] {
  const normals = points.map((): [number, number, number] => [0, 0, 0]);
  const { triangles } = topology();
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!];
    const [a, b, c] = corners.map((corner) => points[corner]!) as [Point3, Point3, Point3];
    const [e, f] = [from(a, b), from(a, c)];
    const normal = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    for (const corner of corners) for (let k = 0; k < 3; k++) normals[corner]![k]! += normal[k]!;
  }
  const sign = Math.sign(normals.reduce((sum, normal) => sum + normal[2], 0)) || 1;
  const own = normals.map((normal) => (sign * normal[2]) / (Math.hypot(...normal) || 1));
  // Smooths over folds of lips and lids, so that the face around them counts.
  return topology().flat.map(([u, v]) => {
    const near = topology().flat.map((point) => Math.exp(-((point[0] - u) ** 2 + (point[1] - v) ** 2) / 0.005));
    return near.reduce((sum, weight, k) => sum + weight * own[k]!, 0) / near.reduce((sum, weight) => sum + weight, 0);
  });
}

const from = (a: Point3, b: Point3): Point3 => [b[0] - a[0], b[1] - a[1], b[2] - a[2]];

function toSegment([u, v]: Flat, a: Flat, b: Flat): number {
  const [du, dv] = [b[0] - a[0], b[1] - a[1]];
  const t = clamp(((u - a[0]) * du + (v - a[1]) * dv) / (du * du + dv * dv));
  return Math.hypot(a[0] + t * du - u, a[1] + t * dv - v);
}

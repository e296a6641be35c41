/** Turns, scales and moves one face's points onto another's: the same face in the other's pose. */
import type { Point3 } from '../vision/mesh.ts';

type Triple = [number, number, number];

/** The similarity in space that brings `from` nearest to `to` (Horn's quaternions), applied to `from`. */
export function align(from: readonly Point3[], to: readonly Point3[]): Point3[] {
  const [f, t] = [center(from), center(to)];
  const m = covariance(from, f, to, t);
  const [w, x, y, z] = turn(m);
  const rotation = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ] as [Triple, Triple, Triple];
  const scale = Math.sqrt(spread(to, t) / spread(from, f));
  return from.map((point) => {
    const [a, b, c] = [point[0] - f[0], point[1] - f[1], point[2] - f[2]];
    const [p, q, r] = rotation.map((row) => scale * (row[0] * a + row[1] * b + row[2] * c)) as Triple;
    return [p + t[0], q + t[1], r + t[2]];
  });
}

function center(points: readonly Point3[]): Triple {
  return [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k]!, 0) / points.length) as Triple;
}

function spread(points: readonly Point3[], c: Triple): number {
  return points.reduce((sum, p) => sum + (p[0] - c[0]) ** 2 + (p[1] - c[1]) ** 2 + (p[2] - c[2]) ** 2, 0);
}

function covariance(from: readonly Point3[], f: Triple, to: readonly Point3[], t: Triple): number[][] {
  return [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => from.reduce((sum, p, k) => sum + (p[i]! - f[i]!) * (to[k]![j]! - t[j]!), 0)),
  );
}

/** The eigenvector of Horn's matrix with the largest eigenvalue, by powers of it. */
function turn(m: number[][]): [number, number, number, number] {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = m.flat() as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const matrix = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ];
  // Shifted, so that the largest eigenvalue is also the largest in size.
  const shift = Math.hypot(...matrix.flat());
  let vector = [1, 0.01, 0.01, 0.01];
  for (let round = 0; round < 200; round++) {
    const next = matrix.map((row, k) => row.reduce((sum, value, j) => sum + value * vector[j]!, shift * vector[k]!));
    const length = Math.hypot(...next);
    vector = next.map((value) => value / length);
  }
  return vector as [number, number, number, number];
}

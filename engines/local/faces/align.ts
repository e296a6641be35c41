/** Turns, scales and moves one face's points onto another's: the same face in the other's pose. */
import { inOpenCv } from '../pixels/opencv.ts';
import type { Point3 } from '../vision/mesh.ts';

type Triple = [number, number, number];
type Quaternion = [w: number, ...Triple];

/** Returns `from` after the similarity transform in space that brings it nearest to `to` (Horn's quaternions). */
export function align(from: readonly Point3[], to: readonly Point3[]): Point3[] {
  const [f, t] = [center(from), center(to)];
  const [w, x, y, z] = turn(from, f, to, t);
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

/** Returns the rotation as a quaternion: the eigenvector of Horn's matrix with the largest eigenvalue. */
function turn(from: readonly Point3[], f: Triple, to: readonly Point3[], t: Triple): Quaternion {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = Array.from({ length: 9 }, (_, n) => {
    const [i, j] = [Math.floor(n / 3), n % 3];
    return from.reduce((sum, p, k) => sum + (p[i]! - f[i]!) * (to[k]![j]! - t[j]!), 0);
  }) as [...Triple, ...Triple, ...Triple];
  const matrix = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ];
  return inOpenCv(({ cv, floats, empty }) => {
    const vectors = empty();
    cv.eigen(floats(matrix.flat(), 4, 4), empty(), vectors);
    return [...vectors.data32F.subarray(0, 4)] as Quaternion;
  });
}

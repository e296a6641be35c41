/** The triangles and the unrolled map of the 468 face points, from the package Human. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Topology {
  /** Corners of triangles, in threes; triangles also close the eyes and the mouth. */
  triangles: readonly number[];
  /** Place of each point on the unrolled face, 0–1 in both directions, with the chin at the bottom. */
  flat: readonly (readonly [number, number])[];
  /** The point on the other half of the face. */
  mirrored: readonly number[];
}

interface Human {
  faceTriangulation: number[];
  faceUVMap: [number, number][];
}

/** The outline of the face, from the middle of the forehead past the left cheek to the chin and around. */
export const outline = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136,
  172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];
/** The right eye's edge, all around; the same with mirrored points for the left. */
export const eye = [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246];
/** The right brow. */
export const brow = [46, 53, 52, 65, 55, 107, 66, 105, 63, 70];
/** The lips' outer edge. */
export const lips = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185];
/** The lips' inner edges, from the right corner of the mouth to the left. */
export const upperLip = [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308];
export const lowerLip = [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308];

let known: Topology | undefined;

export function topology(): Topology {
  return (known ??= read());
}

function read(): Topology {
  const require = createRequire(import.meta.url);
  // The list of exports in the package is misspelled, so this build can only be loaded by its path.
  const build = join(dirname(require.resolve('@vladmandic/human')), 'human.node-wasm.js');
  const { faceTriangulation, faceUVMap } = new (require(build) as { Human: new () => Human }).Human();
  const mirrored = faceUVMap.map(([u, v]) => nearest(faceUVMap, 1 - u, v));
  return { triangles: [...faceTriangulation, ...mouth()], flat: faceUVMap, mirrored };
}

function nearest(points: readonly (readonly [number, number])[], u: number, v: number): number {
  const distances = points.map((point) => Math.hypot(point[0] - u, point[1] - v));
  return distances.indexOf(Math.min(...distances));
}

function mouth(): number[] {
  return upperLip.slice(1).flatMap((_, k) => {
    const [a, b, c, d] = [upperLip[k]!, upperLip[k + 1]!, lowerLip[k]!, lowerLip[k + 1]!];
    return [...(a === c ? [] : [a, b, c]), ...(b === d ? [] : [b, d, c])];
  });
}

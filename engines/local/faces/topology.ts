/** The 468 face points: their triangles and unrolled map, from the package Human, and which points mark features. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import landmarks from './landmarks.json' with { type: 'json' };

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

/**
 * Point numbers: the outline from the middle of the forehead past the left cheek to the chin and around, the edge of
 * the right eye, the right brow (mirrored points give the left ones), the lips' outer edge, and their inner edges from
 * right to left.
 */
export const { outline, eye, brow, lips, upperLip, lowerLip } = landmarks;

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

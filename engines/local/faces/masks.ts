/** Masks of the face, its skin, its eyes and its lips on a close-up: planes of 0–1 with soft edges. */
import { both, clearances, depths, distancesTo } from './anatomy.ts';
import type { Closeup } from './closeup.ts';
import { boxBlur } from '../pixels/blur.ts';
import { eye, lips, lowerLip, topology, upperLip } from './topology.ts';
import { drawMesh } from './warp.ts';
import { smoothstep } from '../pixels/range.ts';

/** Returns the length of the face from the forehead (point 10) to the chin (152), in pixels of the close-up. */
export function lengthOf({ points }: Closeup): number {
  return Math.hypot(points[10]![0] - points[152]![0], points[10]![1] - points[152]![1]);
}

/** Covers the face to the hairline and the ears; falls to 0 at the close-up's edge. */
export function headMask(face: Closeup): Float32Array {
  const { width, height } = face.image;
  const { covered } = drawMesh(face.points, topology().triangles, {}, width, height);
  const soft = boxBlur(Float32Array.from(covered), width, height, Math.max(1, Math.round(lengthOf(face) * 0.07)), 3);
  return soft.map((value, at) => smoothstep(0.02, 0.6, value) * toEdge(at, width, height));
}

/** Fades over three pixels, so that a face that continues beyond the close-up has no hard edge. */
function toEdge(at: number, width: number, height: number): number {
  const [x, y] = [at % width, Math.floor(at / width)];
  return Math.min(1, Math.min(x, y, width - 1 - x, height - 1 - y) / 3);
}

export function skinMask(face: Closeup): Float32Array {
  const [near, deep] = [clearances(), depths()];
  const skin = near.map((clear, k) => smoothstep(0.012, 0.04, clear) * smoothstep(0, 0.03, deep[k]!));
  return draw(face, skin);
}

export function eyesMask(face: Closeup): Float32Array {
  return draw(face, closeTo(both(eye), 0.03));
}

export function lipsMask(face: Closeup): Float32Array {
  return draw(face, closeTo([...lips, ...upperLip, ...lowerLip], 0.02));
}

function closeTo(points: readonly number[], reach: number): number[] {
  return distancesTo(points).map((distance) => 1 - smoothstep(reach / 3, reach, distance));
}

function draw(face: Closeup, values: readonly number[]): Float32Array {
  const { width, height } = face.image;
  const { planes } = drawMesh(face.points, topology().triangles, { values }, width, height);
  return boxBlur(planes.values, width, height, Math.max(1, Math.round(lengthOf(face) * 0.006)), 2);
}

/** A change of colours as a cube of nodes over sRGB: worked out once for each node, looked up for each pixel. */
import { clamp } from './range.ts';

type Colour = readonly [number, number, number];

const side = 33;
const cell = 255 / (side - 1);
/** Steps to the next node in red, green and blue. */
const [across, down, deep] = [3, 3 * side, 3 * side * side];

/** sRGB 0–255 at each node, interleaved; red runs fastest. */
export type Cube = Float32Array;

/** @param change takes and returns sRGB of 0–1 */
export function cubeOf(change: (colour: Colour) => Colour): Cube {
  const cube = new Float32Array(side ** 3 * 3);
  const level = (node: number) => (node % side) / (side - 1);
  for (let i = 0; i < side ** 3; i++) {
    const made = change([level(i), level(Math.floor(i / side)), level(Math.floor(i / side ** 2))]);
    for (let c = 0; c < 3; c++) cube[i * 3 + c] = made[c]! * 255;
  }
  return cube;
}

/** Writes the colour that the one at `p` of `rgb` (0–255) becomes into `out`, trilinearly between the nodes. */
export function lookUp(cube: Cube, rgb: ArrayLike<number>, p: number, out: Float32Array): void {
  const r = clamp(rgb[p]!, 0, 255) / cell;
  const g = clamp(rgb[p + 1]!, 0, 255) / cell;
  const b = clamp(rgb[p + 2]!, 0, 255) / cell;
  const [i, j, k] = [Math.min(side - 2, r | 0), Math.min(side - 2, g | 0), Math.min(side - 2, b | 0)];
  const [u, v, w] = [r - i, g - j, b - k];
  for (let c = 0, o = (k * side + j) * down + i * 3; c < 3; c++, o++) {
    const upper = cube[o]! + (cube[o + across]! - cube[o]!) * u;
    const lower = cube[o + down]! + (cube[o + down + across]! - cube[o + down]!) * u;
    const far = o + deep;
    const farUpper = cube[far]! + (cube[far + across]! - cube[far]!) * u;
    const farLower = cube[far + down]! + (cube[far + down + across]! - cube[far + down]!) * u;
    const front = upper + (lower - upper) * v;
    out[c] = front + (farUpper + (farLower - farUpper) * v - front) * w;
  }
}

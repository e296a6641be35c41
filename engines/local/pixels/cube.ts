/** A change of colours as a table over sRGB: computed once for each node, looked up for each pixel. */
import { clamp } from './range.ts';

type Colour = readonly [number, number, number];

export interface Cube {
  /** Nodes along each channel. */
  readonly side: number;
  /** sRGB 0–255 at each node, interleaved; red runs fastest. */
  readonly nodes: Float32Array;
}

/** Computes the table of a change. @param change takes and returns sRGB of 0–1 */
export function cubeOf(change: (colour: Colour) => Colour, side = 33): Cube {
  const nodes = new Float32Array(side ** 3 * 3);
  const level = (node: number) => (node % side) / (side - 1);
  for (let i = 0; i < side ** 3; i++) {
    const made = change([level(i), level(Math.floor(i / side)), level(Math.floor(i / side ** 2))]);
    for (let c = 0; c < 3; c++) nodes[i * 3 + c] = made[c]! * 255;
  }
  return { side, nodes };
}

/** Changes the colour at offset `p` of `rgb` (0–255) and writes it to `out`, interpolated between the nodes. */
export function lookUp({ side, nodes }: Cube, rgb: ArrayLike<number>, p: number, out: Float32Array): void {
  const cell = 255 / (side - 1);
  // Offsets of the next node in red, green and blue.
  const [across, down, deep] = [3, 3 * side, 3 * side * side];
  const r = clamp(rgb[p]!, 0, 255) / cell;
  const g = clamp(rgb[p + 1]!, 0, 255) / cell;
  const b = clamp(rgb[p + 2]!, 0, 255) / cell;
  const [i, j, k] = [Math.min(side - 2, r | 0), Math.min(side - 2, g | 0), Math.min(side - 2, b | 0)];
  const [u, v, w] = [r - i, g - j, b - k];
  for (let c = 0, o = (k * side + j) * down + i * 3; c < 3; c++, o++) {
    const upper = nodes[o]! + (nodes[o + across]! - nodes[o]!) * u;
    const lower = nodes[o + down]! + (nodes[o + down + across]! - nodes[o + down]!) * u;
    const far = o + deep;
    const farUpper = nodes[far]! + (nodes[far + across]! - nodes[far]!) * u;
    const farLower = nodes[far + down]! + (nodes[far + down + across]! - nodes[far + down]!) * u;
    const front = upper + (lower - upper) * v;
    out[c] = front + (farUpper + (farLower - farUpper) * v - front) * w;
  }
}

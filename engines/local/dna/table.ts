/** A change of colours as a table over sRGB, made once and looked up for every pixel. */
import { fromOklab, oklab } from '../oklab.ts';
import type { Recolouring } from './transport.ts';
import { clamp } from '../pixels/range.ts';

const side = 25;
const cell = 255 / (side - 1);
/** From a node to the next in green and in blue. */
const down = side * 3;
const deep = side * side * 3;

/** sRGB 0–255, interleaved: red runs fastest. */
export type Table = Float32Array;

/** @param amount how much of the way is gone: 0 changes nothing */
export function tableOf(recolour: Recolouring, amount: number): Table {
  const table = new Float32Array(side ** 3 * 3);
  for (let i = 0; i < side ** 3; i++) {
    const [r, g, b] = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    const old = oklab([r / (side - 1), g / (side - 1), b / (side - 1)]);
    const made = recolour(old);
    const mixed = fromOklab([
      old[0] + (made[0] - old[0]) * amount,
      old[1] + (made[1] - old[1]) * amount,
      old[2] + (made[2] - old[2]) * amount,
    ]);
    for (let c = 0; c < 3; c++) table[i * 3 + c] = mixed[c]! * 255;
  }
  return table;
}

/** Looks up the colour at `p` of `rgb`, 0–255, between the table's nodes. */
export function lookUp(table: Table, rgb: Float32Array, p: number, out: Float32Array): void {
  const r = clamp(rgb[p]!, 0, 255) / cell;
  const g = clamp(rgb[p + 1]!, 0, 255) / cell;
  const b = clamp(rgb[p + 2]!, 0, 255) / cell;
  const i = Math.min(side - 2, Math.floor(r));
  const j = Math.min(side - 2, Math.floor(g));
  const k = Math.min(side - 2, Math.floor(b));
  const o = ((k * side + j) * side + i) * 3;
  for (let c = 0; c < 3; c++) {
    const front = square(table, o + c, r - i, g - j);
    out[c] = front + (square(table, o + deep + c, r - i, g - j) - front) * (b - k);
  }
}

function square(table: Table, p: number, u: number, v: number): number {
  const upper = table[p]! + (table[p + 3]! - table[p]!) * u;
  const lower = table[p + down]! + (table[p + down + 3]! - table[p + down]!) * u;
  return upper + (lower - upper) * v;
}

/** Turns a recolouring into a cube of sRGB colours. */
import { fromOklab, oklab } from '../oklab.ts';
import { type Cube, cubeOf } from '../pixels/cube.ts';
import type { Recolouring } from './transport.ts';

/**
 * @param amount 0 changes nothing, 1 recolours in full
 * @param side nodes along each channel
 */
export function tableOf(recolour: Recolouring, amount: number, side = 25): Cube {
  return cubeOf((colour) => {
    const old = oklab(colour);
    const made = recolour(old);
    const mixed = (c: 0 | 1 | 2) => old[c] + (made[c] - old[c]) * amount;
    return fromOklab([mixed(0), mixed(1), mixed(2)]);
  }, side);
}

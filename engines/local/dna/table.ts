/** A recolouring as a cube of sRGB colours. */
import { fromOklab, oklab } from '../oklab.ts';
import { type Cube, cubeOf } from '../pixels/cube.ts';
import type { Recolouring } from './transport.ts';

/** @param amount how much of the way is gone: 0 changes nothing */
export function tableOf(recolour: Recolouring, amount: number): Cube {
  return cubeOf((colour) => {
    const old = oklab(colour);
    const made = recolour(old);
    const mixed = (c: 0 | 1 | 2) => old[c] + (made[c] - old[c]) * amount;
    return fromOklab([mixed(0), mixed(1), mixed(2)]);
  });
}

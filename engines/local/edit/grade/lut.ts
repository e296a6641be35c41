/** Runs any chain of colour edits over a picture at the cost of one: through a cube of 33³ colours. */
import type { Raster } from '../../raster.ts';
import type { Grade } from './grades.ts';

const steps = 33;

function cubeOf(grades: readonly Grade[]): Float32Array {
  const cube = new Float32Array(steps ** 3 * 3);
  let p = 0;
  for (let b = 0; b < steps; b++)
    for (let g = 0; g < steps; g++)
      for (let r = 0; r < steps; r++) {
        let colour: [number, number, number] = [r / (steps - 1), g / (steps - 1), b / (steps - 1)];
        for (const grade of grades) colour = grade(colour);
        cube[p++] = colour[0] * 255;
        cube[p++] = colour[1] * 255;
        cube[p++] = colour[2] * 255;
      }
  return cube;
}

export function graded(raster: Raster, grades: readonly Grade[]): Raster {
  const cube = cubeOf(grades);
  const { data } = raster;
  const out = new Uint8Array(data.length);
  const [sr, sg, sb] = [3, 3 * steps, 3 * steps * steps];
  const cell = new Int32Array(256);
  const part = new Float32Array(256);
  for (let v = 0; v < 256; v++) {
    const at = (v / 255) * (steps - 1);
    cell[v] = Math.min(steps - 2, Math.floor(at));
    part[v] = at - cell[v]!;
  }
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
    const [fr, fg, fb] = [part[r]!, part[g]!, part[b]!];
    const o = cell[r]! * sr + cell[g]! * sg + cell[b]! * sb;
    for (let k = 0; k < 3; k++) {
      const p = o + k;
      const c00 = cube[p]! + (cube[p + sr]! - cube[p]!) * fr;
      const c10 = cube[p + sg]! + (cube[p + sg + sr]! - cube[p + sg]!) * fr;
      const c01 = cube[p + sb]! + (cube[p + sb + sr]! - cube[p + sb]!) * fr;
      const c11 = cube[p + sb + sg]! + (cube[p + sb + sg + sr]! - cube[p + sb + sg]!) * fr;
      const c0 = c00 + (c10 - c00) * fg;
      const c1 = c01 + (c11 - c01) * fg;
      out[i + k] = Math.round(c0 + (c1 - c0) * fb);
    }
    out[i + 3] = data[i + 3]!;
  }
  return { ...raster, data: out };
}

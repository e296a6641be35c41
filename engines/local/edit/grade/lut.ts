/** Applies any chain of colour edits to a picture at the cost of one. */
import { cubeOf, lookUp } from '../../pixels/cube.ts';
import type { Raster } from '../../raster.ts';
import type { Grade } from './grades.ts';

export function graded(raster: Raster, grades: readonly Grade[]): Raster {
  const cube = cubeOf(([r, g, b]) =>
    grades.reduce((colour, grade) => grade(colour), [r, g, b] as [number, number, number]),
  );
  const data = new Uint8Array(raster.data);
  const colour = new Float32Array(3);
  for (let i = 0; i < data.length; i += 4) {
    lookUp(cube, raster.data, i, colour);
    for (let c = 0; c < 3; c++) data[i + c] = Math.round(colour[c]!);
  }
  return { ...raster, data };
}

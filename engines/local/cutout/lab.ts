/** Converts colours to three planes of CIE L*a*b*, in which distances match what people see. */
import { inOpenCv } from '../pixels/opencv.ts';
import { fractions, mapped, type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';

export function labOf({ width, height, data }: Raster<3>): [Plane, Plane, Plane] {
  const lab = inOpenCv(({ cv, floats }) => {
    const mat = floats(fractions(data), width, height, 3);
    cv.cvtColor(mat, mat, cv.COLOR_RGB2Lab);
    return mat.data32F.slice();
  });
  const channel = (c: number) => mapped(plane(width, height), (_, i) => lab[i * 3 + c]!);
  return [channel(0), channel(1), channel(2)];
}

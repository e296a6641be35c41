/** The mean colours of the pieces that a picture is divided into. */
import type { Canvas } from '../canvas.ts';
import type { Colour } from '../colour.ts';

/** Returns a function that gives the mean colour of a piece; `pieces` has the number of each pixel's piece. */
export function meansOf({ rgb }: Pick<Canvas, 'rgb'>, pieces: Int32Array): (piece: number) => Colour {
  const sums = new Float64Array(4 * (1 + pieces.reduce((most, k) => Math.max(most, k), 0)));
  for (let i = 0; i < pieces.length; i++) {
    const o = pieces[i]! * 4;
    for (let c = 0; c < 3; c++) sums[o + c]! += rgb[i * 3 + c]!;
    sums[o + 3]!++;
  }
  const mean = (k: number, c: number) => sums[k * 4 + c]! / Math.max(1, sums[k * 4 + 3]!);
  return (k) => [mean(k, 0), mean(k, 1), mean(k, 2)];
}

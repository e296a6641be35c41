/** Kuwahara filter: gives each pixel the mean of the adjacent square with the least variance, like patches of paint. */
import { lumaOf } from '../../pixels/luma.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import type { Canvas } from '../canvas.ts';

export function kuwahara(canvas: Pick<Canvas, 'width' | 'height' | 'rgb'>, radius: number): void {
  const { width, height } = canvas;
  const r = Math.max(1, Math.round(radius));
  const out = new Float32Array(canvas.rgb.length);
  inOpenCv(({ cv, floats }) => {
    // Returns the mean of the square to the right of and below each pixel, which four pixels share as a quadrant.
    const quadrants = (values: Float32Array, channels: number) => {
      const mat = floats(values, width, height, channels);
      cv.blur(mat, mat, new cv.Size(r + 1, r + 1), new cv.Point(0, 0), cv.BORDER_REPLICATE);
      return mat;
    };
    const [colours, squares] = [quadrants(canvas.rgb, 3), quadrants(lumaOf(canvas.rgb).map((l) => l * l), 1)]; // prettier-ignore
    const means = colours.data32F;
    const variances = lumaOf(means).map((l, i) => squares.data32F[i]! - l * l);
    for (let y = 0, o = 0; y < height; y++) {
      const [above, own] = [Math.max(0, y - r) * width, y * width];
      for (let x = 0; x < width; x++, o += 3) {
        const left = Math.max(0, x - r);
        let calmest = above + left;
        if (variances[above + x]! < variances[calmest]!) calmest = above + x;
        if (variances[own + left]! < variances[calmest]!) calmest = own + left;
        if (variances[own + x]! < variances[calmest]!) calmest = own + x;
        for (let c = 0; c < 3; c++) out[o + c] = means[calmest * 3 + c]!;
      }
    }
  });
  canvas.rgb = out;
}

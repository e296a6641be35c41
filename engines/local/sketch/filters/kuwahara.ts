/** Kuwahara's filter: gives each pixel the mean of its calmest quadrant, which leaves patches like paint. */
import { luma } from '../../pixels/luma.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import { clamp } from '../../pixels/range.ts';
import type { Canvas } from '../canvas.ts';

export function kuwahara(canvas: Pick<Canvas, 'width' | 'height' | 'rgb'>, radius: number): void {
  const { width, height } = canvas;
  const r = Math.max(1, Math.round(radius));
  const wide = width + 2 * r;
  const out = new Float32Array(width * height * 3);
  inOpenCv(({ cv, floats }) => {
    const mat = floats(withMargin(canvas, r), wide, height + 2 * r, 4);
    // The mean of the square to the right of and below each pixel: one of its four quadrants, and of three other pixels'.
    cv.blur(mat, mat, new cv.Size(r + 1, r + 1), new cv.Point(0, 0), cv.BORDER_REPLICATE);
    const means = mat.data32F;
    for (let p = 0; p < means.length; p += 4) means[p + 3]! -= luma(means[p]!, means[p + 1]!, means[p + 2]!) ** 2;
    const [right, below] = [r * 4, r * wide * 4];
    for (let y = 0, o = 0; y < height; y++)
      for (let x = 0, p = y * wide * 4; x < width; x++, p += 4, o += 3) {
        let calmest = p;
        if (means[p + right + 3]! < means[calmest + 3]!) calmest = p + right;
        if (means[p + below + 3]! < means[calmest + 3]!) calmest = p + below;
        if (means[p + below + right + 3]! < means[calmest + 3]!) calmest = p + below + right;
        out[o] = means[calmest]!;
        out[o + 1] = means[calmest + 1]!;
        out[o + 2] = means[calmest + 2]!;
      }
  });
  canvas.rgb = out;
}

/** Returns the colours and the squares of their luma, interleaved; beyond the edges the picture goes on as at its edge. */
function withMargin({ width, height, rgb }: Pick<Canvas, 'width' | 'height' | 'rgb'>, r: number): Float32Array {
  const wide = width + 2 * r;
  const out = new Float32Array(wide * (height + 2 * r) * 4);
  for (let y = -r, o = 0; y < height + r; y++) {
    const row = clamp(y, 0, height - 1) * width;
    for (let x = -r; x < width + r; x++, o += 4) {
      const p = (row + clamp(x, 0, width - 1)) * 3;
      out[o] = rgb[p]!;
      out[o + 1] = rgb[p + 1]!;
      out[o + 2] = rgb[p + 2]!;
      out[o + 3] = luma(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!) ** 2;
    }
  }
  return out;
}

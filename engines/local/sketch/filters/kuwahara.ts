/** Kuwahara's filter: every pixel takes the mean of its calmest quadrant, which leaves patches like paint. */
import { luma, lumaAt } from '../../pixels/luma.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import type { Canvas } from '../canvas.ts';

export function kuwahara(canvas: Pick<Canvas, 'width' | 'height' | 'rgb'>, radius: number): void {
  const { width, height, rgb } = canvas;
  const r = Math.max(1, Math.round(radius));
  const count = width * height;
  // The colour, and the square of its luma, whose mean gives the variance.
  const values = new Float32Array(count * 4);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) values[i * 4 + c] = rgb[i * 3 + c]!;
    values[i * 4 + 3] = lumaAt(rgb, i * 3) ** 2;
  }
  const out = new Float32Array(rgb.length);
  const least = new Float32Array(count).fill(Infinity);
  inOpenCv(({ cv, floats, empty }) => {
    const [from, to] = [floats(values, width, height, 4), empty()];
    const size = new cv.Size(r + 1, r + 1);
    for (const [x, y] of [
      [r, r],
      [0, r],
      [r, 0],
      [0, 0],
    ] as const) {
      cv.blur(from, to, size, new cv.Point(x, y), cv.BORDER_REPLICATE);
      const means = to.data32F;
      for (let i = 0, at = 0; i < count; i++, at += 4) {
        const spread = means[at + 3]! - luma(means[at]!, means[at + 1]!, means[at + 2]!) ** 2;
        if (spread >= least[i]!) continue;
        least[i] = spread;
        for (let c = 0; c < 3; c++) out[i * 3 + c] = means[at + c]!;
      }
    }
  });
  canvas.rgb = out;
}

/** Light that spills over its edges. */
import { blur } from '../../pixels/blur.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import type { Canvas } from '../canvas.ts';

/** Adds a blur of what is brighter than the threshold, made at half the size, where the difference does not show. */
export function bloom({ width, height, rgb }: Canvas, sigma: number, threshold: number, strength: number): void {
  const [w, h] = [width >> 1, height >> 1];
  const bright = stretched(rgb, width, height, w, h);
  for (let p = 0; p < bright.length; p++) bright[p] = Math.max(0, bright[p]! - threshold);
  const glow = stretched(blur(bright, w, h, 3, Math.max(1, sigma / 2)), w, h, width, height);
  for (let p = 0; p < rgb.length; p++) rgb[p]! += glow[p]! * strength;
}

function stretched(rgb: Float32Array, width: number, height: number, toWidth: number, toHeight: number) {
  return inOpenCv(({ cv, floats, empty }) => {
    const to = empty();
    const kernel = toWidth < width ? cv.INTER_AREA : cv.INTER_LINEAR;
    cv.resize(floats(rgb, width, height, 3), to, new cv.Size(toWidth, toHeight), 0, 0, kernel);
    return to.data32F.slice();
  });
}

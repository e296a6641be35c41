/** Shifts outlines irregularly, as in a loose drawing. */
import { inOpenCv } from '../../pixels/opencv.ts';
import type { Canvas } from '../canvas.ts';
import { waves } from '../noise.ts';

/** Shifts by `amount` pixels from one extreme to the other, in waves of `frequency` per design pixel. */
export function wobble(canvas: Canvas, seed: number, amount: number, frequency: number): void {
  const { width, height, rgb, unit } = canvas;
  const scale = frequency / unit;
  const shift = (s: number) => waves(canvas, 5, { across: scale, down: scale, seed: s, octaves: 3 });
  const across = shift(seed).map((n, i) => (i % width) + (n - 0.5) * amount);
  const down = shift(seed + 50).map((n, i) => Math.floor(i / width) + (n - 0.5) * amount);
  canvas.rgb = inOpenCv(({ cv, floats, empty }) => {
    const out = empty();
    const [x, y] = [floats(across, width, height), floats(down, width, height)];
    cv.remap(floats(rgb, width, height, 3), out, x, y, cv.INTER_LINEAR, cv.BORDER_REPLICATE);
    return out.data32F.slice();
  });
}

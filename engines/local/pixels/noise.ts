/** Measures the noise of an image. */
import type { Raster } from '../raster.ts';

/** Side of a block in pixels. */
const block = 8;
/** Maximum number of blocks to measure. */
const enough = 4000;

/**
 * Returns the standard deviation of the noise in levels of 255, at least 0.5. Measures the block at
 * the tenth percentile, which has little detail, by second differences, which ignore gradients.
 */
export function noiseOf({ width, height, channels, data }: Raster<3 | 4>): number {
  const [columns, rows] = [Math.floor(width / block), Math.floor(height / block)];
  const step = Math.max(1, Math.floor((columns * rows) / enough));
  const deviations: number[] = [];
  for (let k = 0; k < columns * rows; k += step) {
    const [left, top] = [(k % columns) * block, Math.floor(k / columns) * block];
    let squares = 0;
    for (let y = top; y < top + block; y++) {
      for (let x = left + 1; x < left + block - 1; x++) {
        const at = (y * width + x) * channels + 1;
        const second = 2 * data[at]! - data[at - channels]! - data[at + channels]!;
        squares += second * second;
      }
    }
    // A second difference of independent noise has six times its variance.
    deviations.push(Math.sqrt(squares / (6 * block * (block - 2))));
  }
  deviations.sort((a, b) => a - b);
  return Math.max(0.5, deviations[Math.floor(deviations.length / 10)] ?? 0);
}

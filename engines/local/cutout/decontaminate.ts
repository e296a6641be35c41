/** The subject's own colours where its edges are mixed with the old background. */
import { opaque } from '../pixels/alpha.ts';
import { enlargedRows } from '../pixels/plane.ts';
import { clamp } from '../pixels/range.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import { edgeSize } from './edges.ts';
import { layers } from './layers.ts';

/** Returns the image with `mask` as its alpha, and without the old background in half-transparent pixels. */
export async function foreground(image: Raster<3 | 4>, mask: Raster<1>): Promise<Raster> {
  const { width, height, channels, data } = image;
  const small = await resized(opaque(image), edgeSize(image), 'mitchell');
  const { front, back } = layers(small, await resized(mask, small, 'mitchell'));
  const frontRow = enlargedRows({ ...small, data: front }, image);
  const backRow = enlargedRows({ ...small, data: back }, image);
  const out = new Uint8Array(width * height * 4);
  for (let y = 0, i = 0; y < height; y++) {
    const [fronts, backs] = [frontRow(y), backRow(y)];
    for (let x = 0; x < width; x++, i++) {
      const part = mask.data[i]! / 255;
      if (part === 0) continue;
      out[i * 4 + 3] = mask.data[i]!;
      for (let c = 0; c < 3; c++) {
        const own = data[i * channels + c]!;
        const [f, b] = [fronts[x * 3 + c]!, backs[x * 3 + c]!];
        // Detail that the reduced layers do not explain belongs mostly to the subject.
        const rest = own / 255 - part * f - (1 - part) * b;
        const value = f + (part * rest) / (part * part + (1 - part) * (1 - part));
        out[i * 4 + c] = part === 1 ? own : Math.round(255 * clamp(value));
      }
    }
  }
  return { width, height, channels: 4, data: out };
}

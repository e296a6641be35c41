/** The subject's own colours where its edges are mixed with the old background. */
import type { Raster } from '../raster.ts';
import { layers } from './layers.ts';
import { opaque, reduced } from './reduced.ts';
import { taps } from './plane.ts';
import { clamp } from '../pixels/range.ts';

/** The image with `mask` as its alpha, and the old background taken out of what is half transparent. */
export async function foreground(image: Raster<3 | 4>, mask: Raster<1>): Promise<Raster> {
  const { width, height, channels, data } = image;
  const small = await reduced(opaque(image));
  const alpha = await reduced(mask, small);
  const { front, back } = layers(small, alpha);
  const columns = taps(small.width, width);
  const rows = taps(small.height, height);
  const out = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const upper = rows.first[y]! * small.width;
    const lower = rows.second[y]! * small.width;
    const v = rows.weight[y]!;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const part = mask.data[i]! / 255;
      if (part === 0) continue;
      const [from, to] = [i * channels, i * 4];
      out[to + 3] = mask.data[i]!;
      if (part === 1) {
        for (let c = 0; c < 3; c++) out[to + c] = data[from + c]!;
        continue;
      }
      const [left, right, u] = [columns.first[x]!, columns.second[x]!, columns.weight[x]!];
      const between = (layer: Float32Array, c: number) =>
        (layer[(upper + left) * 3 + c]! * (1 - u) + layer[(upper + right) * 3 + c]! * u) * (1 - v) +
        (layer[(lower + left) * 3 + c]! * (1 - u) + layer[(lower + right) * 3 + c]! * u) * v;
      for (let c = 0; c < 3; c++) {
        const [f, b] = [between(front, c), between(back, c)];
        // What the layers at reduced size leave unexplained is detail, and mostly the subject's.
        const rest = data[from + c]! / 255 - part * f - (1 - part) * b;
        const value = f + (part * rest) / (part * part + (1 - part) * (1 - part));
        out[to + c] = Math.round(255 * clamp(value));
      }
    }
  }
  return { width, height, channels: 4, data: out };
}

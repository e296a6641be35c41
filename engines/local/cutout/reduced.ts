/** Images at the size at which edges are worked out. */
import sharp from 'sharp';
import type { Raster } from '../raster.ts';

/** Of the longer side. Larger ones follow the image's edges from there. */
const longest = 1024;

/** To at most `longest`, or to the size of another. */
export async function reduced<C extends 1 | 3>(
  image: Raster<C>,
  to: { width: number; height: number } = fitting(image, longest),
): Promise<Raster<C>> {
  const { width, height, channels, data } = image;
  if (width === to.width && height === to.height) return image;
  const small = sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(to.width, to.height, { fit: 'fill', kernel: 'mitchell' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw();
  return { ...to, channels, data: await small.toBuffer() };
}

export function fitting({ width, height }: { width: number; height: number }, side: number) {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(3, Math.round(width * scale)), height: Math.max(3, Math.round(height * scale)) };
}

/** Without alpha: its colours count as they stand. */
export function opaque({ width, height, channels, data }: Raster<3 | 4>): Raster<3> {
  if (channels === 3) return { width, height, channels, data };
  const out = new Uint8Array(width * height * 3);
  for (let i = 0, o = 0; o < out.length; i += 4, o += 3) {
    out[o] = data[i]!;
    out[o + 1] = data[i + 1]!;
    out[o + 2] = data[i + 2]!;
  }
  return { width, height, channels: 3, data: out };
}

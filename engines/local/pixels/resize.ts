/** Resizes rasters. */
import sharp, { type KernelEnum } from 'sharp';
import type { Raster, Size } from '../raster.ts';

/** Stretches a raster to a size. Transparent pixels do not affect the colours around them. */
export async function resized<C extends 1 | 3 | 4>(
  raster: Raster<C>,
  { width, height }: Size,
  kernel: keyof KernelEnum = 'lanczos3',
): Promise<Raster<C>> {
  if (raster.width === width && raster.height === height) return raster;
  const { channels } = raster;
  const raw = { width: raster.width, height: raster.height, channels };
  const data = await sharp(raster.data, { raw, limitInputPixels: false })
    .resize(width, height, { kernel, fit: 'fill' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer();
  return { width, height, channels, data };
}

/** Returns the size at which the longer side is at most `longest`, and each at least `shortest`. */
export function fitting({ width, height }: Size, longest: number, shortest = 1): Size {
  const scale = Math.min(1, longest / Math.max(width, height));
  const side = (length: number) => Math.max(shortest, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

/** An image made smaller, for what needs no more pixels. */
import sharp from 'sharp';
import type { Raster } from '../raster.ts';

/** The image itself where it is small enough. */
export async function reduce(image: Raster<3 | 4>, longest: number): Promise<Raster<3 | 4>> {
  const { width, height, channels, data } = image;
  if (Math.max(width, height) <= longest) return image;
  const small = await sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize({ width: longest, height: longest, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: small.info.width, height: small.info.height, channels, data: small.data };
}

/** Blurs the whole picture, or replaces its pixels with blocks. */
import sharp from 'sharp';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';

/**
 * Blurs at a reduced size, because a wide blur takes long.
 * @param sigma pixels
 */
export async function blurred(raster: Raster, sigma: number): Promise<Raster> {
  const scale = Math.min(1, 3 / sigma);
  const side = (length: number) => Math.max(2, Math.round(length * scale));
  const small = await resized(raster, { width: side(raster.width), height: side(raster.height) });
  const data = await sharp(small.data, { raw: small })
    .blur(Math.max(1, sigma * scale))
    .raw()
    .toBuffer();
  return resized({ ...small, data }, raster, 'linear');
}

/** @param block pixels */
export async function pixelated(raster: Raster, block: number): Promise<Raster> {
  const [w, h] = [Math.max(1, Math.round(raster.width / block)), Math.max(1, Math.round(raster.height / block))];
  const small = await resized(raster, { width: w, height: h }, 'linear');
  return resized(small, raster, 'nearest');
}

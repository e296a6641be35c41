/** Handles transparency while an image is enlarged or filtered. */
import { alphaOf, isOpaque, opaque } from '../pixels/alpha.ts';
import { reduced } from '../pixels/reduced.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';

/** Writes the alpha of one raster, smoothly enlarged, into another. */
export async function enlargeAlpha(from: Raster<4>, to: Raster<4>): Promise<void> {
  const larger = await resized(alphaOf(from), to);
  for (let i = 0; i < larger.data.length; i++) to.data[i * 4 + 3] = larger.data[i]!;
}

/** Gives transparent pixels the colours around them, from coarse to fine, so that filters draw no stain across edges. */
export async function bleed(raster: Raster<4>): Promise<Raster<4>> {
  const longest = Math.max(raster.width, raster.height);
  if (isOpaque(raster) || longest === 1) return raster;
  const coarse = opaque(await bleed(reduced(raster, Math.ceil(longest / 2))));
  const around = (await resized(coarse, raster, 'nearest')).data;
  const data = new Uint8Array(raster.data);
  for (let at = 0, from = 0; at < data.length; at += 4, from += 3) {
    const alpha = data[at + 3]! / 255;
    for (let c = 0; c < 3; c++) data[at + c] = Math.round(data[at + c]! * alpha + around[from + c]! * (1 - alpha));
  }
  return { ...raster, data };
}

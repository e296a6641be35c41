/** Converts a mask to OpenAI's format: a PNG of the image's size, transparent where the image may change. */
import sharp from 'sharp';
import type { InputImage } from '../../contract/index.ts';

/** @param mask white where the image may change @param image the image that the mask belongs to */
export async function alphaMask(mask: InputImage, { width, height }: InputImage): Promise<Uint8Array> {
  const gray = sharp(mask.bytes).flatten({ background: '#000000' }).grayscale().resize(width, height, { fit: 'fill' });
  // OpenAI changes only fully transparent pixels, so a soft edge is cut at its middle.
  const { data: alpha } = await gray.threshold(128).negate().raw().toBuffer({ resolveWithObject: true });
  return sharp({ create: { width, height, channels: 3, background: '#000000' } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

/** A mask as OpenAI's edits take it: a PNG of the image's size that is transparent where the image may change. */
import sharp from 'sharp';
import type { InputImage } from '../../schemas/tasks.ts';

/** @param mask white where the image may change @param image the one that it is for */
export async function alphaMask(mask: InputImage, { width, height }: InputImage): Promise<Uint8Array> {
  const shape = sharp(mask.bytes).flatten({ background: '#000000' }).grayscale().resize(width, height, { fit: 'fill' });
  // Only what is fully transparent may change, so a soft edge is taken in the middle.
  const { data: alpha } = await shape.threshold(128).negate().raw().toBuffer({ resolveWithObject: true });
  return sharp({ create: { width, height, channels: 3, background: '#000000' } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

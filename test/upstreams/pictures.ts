/** Creates the images of fake models: of the requested size and kind, with a colour that depends on the input. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';

export interface Picture {
  width: number;
  height: number;
  /** `black`: a gray image without an object. */
  kind?: 'opaque' | 'alpha' | 'gray' | 'black';
}

/** Returns a PNG of one colour. @param of value that determines the colour */
export async function paint({ width, height, kind = 'opaque' }: Picture, of: unknown): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(JSON.stringify(of)).digest();
  const colour = kind === 'black' ? { r: 0, g: 0, b: 0 } : { r, g, b };
  const background = { ...colour, alpha: kind === 'alpha' ? 0.5 : 1 };
  const image = sharp({ create: { width, height, channels: kind === 'alpha' ? 4 : 3, background } });
  return (kind === 'gray' || kind === 'black' ? image.toColourspace('b-w') : image)
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Returns undefined when the bytes are not an image. */
export async function sizeOf(bytes: Uint8Array): Promise<{ width: number; height: number } | undefined> {
  return sharp(bytes)
    .metadata()
    .then(({ width, height }) => ({ width, height }))
    .catch(() => undefined);
}

/** More pixels than any result may have. */
export const hugePicture: Picture = { width: 9000, height: 9000, kind: 'gray' };

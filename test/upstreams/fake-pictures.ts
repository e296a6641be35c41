/** Real image files for the responses of fakes. */
import sharp from 'sharp';

export interface FakePicture {
  width: number;
  height: number;
  format?: 'png' | 'jpeg' | 'webp';
  /** Whether the background is transparent. */
  isTransparent?: boolean;
}

export async function fakePicture({ width, height, format = 'png', isTransparent = false }: FakePicture) {
  const canvas = sharp({ create: { width, height, channels: 4, background: isTransparent ? '#0000' : '#d0783c' } });
  const disc = Buffer.from(
    `<svg width="${width}" height="${height}"><circle cx="50%" cy="50%" r="30%" fill="#2b5fab"/></svg>`,
  );
  const drawn = canvas.composite([{ input: disc }]);
  return new Uint8Array(await (isTransparent ? drawn : drawn.removeAlpha()).toFormat(format).toBuffer());
}

let huge: Promise<Uint8Array> | undefined;

/** 72 megapixels in a small file. */
export const hugePicture = (): Promise<Uint8Array> =>
  (huge ??= sharp({ create: { width: 9000, height: 8000, channels: 3, background: '#d0783c' } })
    .toColourspace('b-w')
    .png({ compressionLevel: 1 })
    .toBuffer()
    .then((file) => new Uint8Array(file)));

export const notAnImage = new TextEncoder().encode('This is no picture at all.');

/** What an image file that came from outside says of itself: kind and size, from its header, without decoding it. */
import sharp from 'sharp';
import { mostBytes, mostPixels, shortestSide } from '../schemas/image.ts';

export interface Picture {
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels, upright: as it is seen once its EXIF orientation is applied. */
  width: number;
  height: number;
  animated: boolean;
}

const kinds = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** @returns null for anything but a PNG, JPEG or WebP, whatever it is called */
export async function readPicture(bytes: Uint8Array): Promise<Picture | null> {
  const kind = kindOf(bytes);
  if (!kind) return null;
  try {
    const { format, autoOrient, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (format !== kind) return null;
    const animated = pages > 1 || (kind === 'png' && isAnimatedPng(bytes));
    return { contentType: kinds[kind], ...autoOrient, animated };
  } catch {
    return null;
  }
}

/** @returns what is wrong with a picture, as the end of a sentence that begins with its name; null if nothing is */
export function refusePicture({ width, height, animated }: Picture, bytes: number): string | null {
  if (bytes > mostBytes) return `has ${bytes} bytes. At most ${mostBytes} (20 MB) are taken.`;
  const size = `is ${width}×${height} pixels`;
  if (Math.min(width, height) < shortestSide) return `${size}. Each side must have at least ${shortestSide}.`;
  if (width * height > mostPixels) return `${size}. At most 25 megapixels are taken.`;
  return animated ? 'is animated. Send a still image.' : null;
}

/** An animation says so in a chunk before the first of the pixels. https://www.w3.org/TR/png-3/#acTL-chunk */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** By the first bytes, so that no other of libvips' many readers is ever tried. */
function kindOf(bytes: Uint8Array): keyof typeof kinds | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : null;
}

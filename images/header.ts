/** Reads the format and the size of an untrusted image file from its header, without decoding the pixels. */
import { open, readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { maxImageBytes, maxImagePixels, shortestSide } from '../schemas/image.ts';

export interface Picture {
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels, with the EXIF orientation applied. */
  width: number;
  height: number;
  animated: boolean;
}

const kinds = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** Returns null when the bytes are not a PNG, JPEG or WebP image. */
export async function readPicture(bytes: Uint8Array): Promise<Picture | null> {
  const kind = kindOf(bytes);
  return kind && describe(kind, bytes, () => Promise.resolve(isAnimatedPng(bytes) ?? false));
}

/** Bytes that are read of a file, unless the chunks of a PNG before its pixels take more. */
const headSize = 1024 * 1024;

/** Returns null when the file is not a PNG, JPEG or WebP image. Does not read all of a large file into memory. */
export async function readPictureFile(path: string): Promise<Picture | null> {
  const head = await readHead(path);
  const kind = kindOf(head);
  return kind && describe(kind, path, async () => isAnimatedPng(head) ?? isAnimatedPng(await readFile(path)) ?? false);
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function describe(
  kind: keyof typeof kinds,
  input: string | Uint8Array,
  isAnimated: () => Promise<boolean>,
): Promise<Picture | null> {
  try {
    const { format, autoOrient, pages = 1 } = await sharp(input, { limitInputPixels: false }).metadata();
    if (format !== kind) return null;
    return { contentType: kinds[kind], ...autoOrient, animated: pages > 1 || (kind === 'png' && (await isAnimated())) };
  } catch {
    return null;
  }
}

/** Returns what is wrong with a picture, as a predicate for the name of its field; null when nothing is wrong. */
export function refusePicture({ width, height, animated }: Picture, bytes: number): string | null {
  if (bytes > maxImageBytes) return `has ${bytes} bytes. Send at most ${maxImageBytes} bytes (20 MB).`;
  const size = `is ${width}×${height} pixels`;
  if (Math.min(width, height) < shortestSide) return `${size}. Each side must have at least ${shortestSide} pixels.`;
  if (width * height > maxImagePixels) return `${size}. Send at most 25 megapixels.`;
  return animated ? 'is animated. Send a still image.' : null;
}

/**
 * An animated PNG has an acTL chunk before its first IDAT chunk. https://www.w3.org/TR/png-3/#acTL-chunk
 * @returns null when the bytes contain neither
 */
function isAnimatedPng(bytes: Uint8Array): boolean | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return null;
}

/** Reads the first bytes, so that libvips never tries a reader for another format. */
function kindOf(bytes: Uint8Array): keyof typeof kinds | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : null;
}

/**
 * Reads the format and the size of an untrusted image file from its header. Uses no image library, because libraries
 * decompress metadata: a PNG of 1 MB can hold gigabytes of text.
 */
import { open, readFile } from 'node:fs/promises';
import { maxImageBytes, maxImagePixels, shortestSide } from '../schemas/image.ts';
import { readJpegHeader } from './jpeg-header.ts';
import { contentTypes, type Format, type HeaderReader, type Picture } from './picture.ts';
import { readPngHeader } from './png-header.ts';
import { readWebpHeader } from './webp-header.ts';

const readers: Record<Format, HeaderReader> = { png: readPngHeader, jpeg: readJpegHeader, webp: readWebpHeader };

/** Returns null when the bytes are not a PNG, JPEG or WebP image. */
export function readPicture(bytes: Uint8Array): Picture | null {
  const picture = describe(bytes);
  return picture === 'incomplete' ? null : picture;
}

/** Bytes that are read of a file, unless its header takes more. */
const headSize = 1024 * 1024;

/** Returns null when the file is not a PNG, JPEG or WebP image. Does not read all of a large file into memory. */
export async function readPictureFile(path: string): Promise<Picture | null> {
  const head = await readHead(path);
  const picture = describe(head);
  return picture === 'incomplete' ? readPicture(await readFile(path)) : picture;
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

function describe(bytes: Uint8Array): Picture | 'incomplete' | null {
  const format = formatOf(bytes);
  if (!format) return null;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readers[format](file);
  if (header === 'incomplete' || header === null) return header;
  const { orientation, animated, ...stored } = header;
  if (stored.width === 0 || stored.height === 0) return null;
  const isTurned = orientation >= 5;
  const [width, height] = isTurned ? [stored.height, stored.width] : [stored.width, stored.height];
  return { contentType: contentTypes[format], width, height, animated };
}

/** Returns what is wrong with a picture, as a predicate for the name of its field; null when nothing is wrong. */
export function refusePicture({ width, height, animated }: Picture, bytes: number): string | null {
  if (bytes > maxImageBytes) return `has ${bytes} bytes. Send at most ${maxImageBytes} bytes (20 MB).`;
  const size = `is ${width}×${height} pixels`;
  if (Math.min(width, height) < shortestSide) return `${size}. Each side must have at least ${shortestSide} pixels.`;
  if (width * height > maxImagePixels) return `${size}. Send at most 25 megapixels.`;
  return animated ? 'is animated. Send a still image.' : null;
}

/** Returns the format that the first bytes name; null for any other format. */
export function formatOf(bytes: Uint8Array): Format | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : null;
}

/** Real photographs, free of rights: see `photos/README.md`. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

export const photoNames = ['astronaut', 'hopper', 'chelsea', 'coffee', 'rocket'] as const;
export type PhotoName = (typeof photoNames)[number];

/** A JPEG: astronaut 512×512, hopper 512×600, chelsea 451×300, coffee 600×400, rocket 640×427. */
export function photo(name: PhotoName): Promise<Buffer> {
  return readFile(photoPath(name));
}

export function photoPath(name: PhotoName): string {
  return fileURLToPath(new URL(`./photos/${name}.jpg`, import.meta.url));
}

/** Returns the photograph at half its width and height, in which faces can still be found. */
export async function halfPhoto(name: PhotoName): Promise<Buffer> {
  const image = sharp(await photo(name));
  const { width } = await image.metadata();
  return image
    .resize(Math.round(width / 2))
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Returns the photograph with 150×100 pixels, for calls whose time grows with the size. */
export async function smallPhoto(name: PhotoName): Promise<Buffer> {
  return sharp(await photo(name))
    .resize(150, 100)
    .jpeg()
    .toBuffer();
}

/** Returns a data URI for an image field of a request. */
export function dataUri(bytes: Uint8Array): string {
  return `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
}

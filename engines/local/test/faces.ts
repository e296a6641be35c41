/** Shared by the tests of faces: photographs as tasks take them, and measures of likeness and sharpness. */
import sharp, { type Sharp } from 'sharp';
import { decode, type Raster } from '../raster.ts';
import type { Face } from '../vision/faces.ts';
import type { InputImage } from '../../contract/index.ts';
import { photo, type PhotoName } from './photos.ts';
import { inThread } from './in-thread.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { floor, log10, sqrt } = Math;

export const findFaces = inThread('findFaces');
const describeFace = inThread('describeFace');

export async function asInput(image: Sharp): Promise<InputImage> {
  const { data, info } = await image.png().toBuffer({ resolveWithObject: true });
  return { bytes: data, contentType: 'image/png', width: info.width, height: info.height };
}

/** Calls a function once for each key and keeps the result. */
export function once<Key, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const made = new Map<Key, Result>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

export const pictured = once(async (name: PhotoName): Promise<InputImage> => asInput(sharp(await photo(name))));

export async function resized(name: PhotoName, width: number, alpha = 1): Promise<InputImage> {
  return asInput(
    sharp(await photo(name))
      .resize(width)
      .ensureAlpha(alpha),
  );
}

export const rasterOf = once((image: { bytes: Uint8Array }): Promise<Raster> => decode(image));

export const largestFace = once(async (image: Raster): Promise<Face> => {
  const [face] = await findFaces(image);
  if (!face) throw new Error('no face');
  return face;
});

export async function describe(image: { bytes: Uint8Array }): Promise<readonly number[]> {
  const raster = await rasterOf(image);
  return describeFace(raster, await largestFace(raster));
}

export function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, k) => sum + value * y[k]!, 0);
  return dot(a, b) / sqrt(dot(a, a) * dot(b, b));
}

/** The brightness inside a face's box, row by row. */
export function brightness(image: Raster, { box }: Face): { y: Float64Array; width: number; height: number } {
  const [width, height] = [floor(box.width), floor(box.height)];
  const y = new Float64Array(width * height);
  for (let k = 0; k < y.length; k++) {
    const at = ((floor(box.y) + floor(k / width)) * image.width + floor(box.x) + (k % width)) * 4;
    y[k] = 0.299 * image.data[at]! + 0.587 * image.data[at + 1]! + 0.114 * image.data[at + 2]!;
  }
  return { y, width, height };
}

/** The variance of Laplace's operator: the usual measure of sharpness. */
export function sharpness({ y, width, height }: ReturnType<typeof brightness>): number {
  let [sum, squares, count] = [0, 0, 0];
  for (let row = 1; row < height - 1; row++) {
    for (let column = 1; column < width - 1; column++, count++) {
      const at = row * width + column;
      const edge = 4 * y[at]! - y[at - 1]! - y[at + 1]! - y[at - width]! - y[at + width]!;
      sum += edge;
      squares += edge * edge;
    }
  }
  return squares / count - (sum / count) ** 2;
}

/** Decibels. */
export function psnr(a: Float64Array, b: Float64Array): number {
  const error = a.reduce((sum, value, k) => sum + (value - b[k]!) ** 2, 0) / a.length;
  return 10 * log10((255 * 255) / error);
}

/** Measures enlarged images: likeness to the truth, colour and fine detail. */
import { createRequire } from 'node:module';
import type { Sharp, SharpOptions } from 'sharp';
import type { Raster } from '../raster.ts';
import type { InputImage } from '../../contract/index.ts';
import { type PhotoName, photo } from './photos.ts';

type OpenImage = (input: Uint8Array, options?: SharpOptions) => Sharp;
/** The copy of sharp that the engine's package depends on. */
export const sharp = createRequire(new URL('../index.ts', import.meta.url))('sharp') as OpenImage;

export type Picture = Raster<3>;

const open = ({ data, width, height, channels }: Raster<3 | 4>) => sharp(data, { raw: { width, height, channels } });

export async function read(file: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data: new Uint8Array(data) };
}

/** A square of a photograph. */
export async function crop(name: PhotoName, left: number, top: number, side: number): Promise<Picture> {
  return read(
    await sharp(await photo(name))
      .extract({ left, top, width: side, height: side })
      .png()
      .toBuffer(),
  );
}

export async function resize(
  picture: Picture,
  width: number,
  height: number,
  kernel: 'cubic' | 'lanczos3' = 'cubic',
): Promise<Picture> {
  return read(await open(picture).resize(width, height, { kernel, fit: 'fill' }).png().toBuffer());
}

export const blur = async (picture: Picture, sigma: number): Promise<Picture> =>
  read(await open(picture).blur(sigma).png().toBuffer());

/** Returns a picture as a task receives it. */
export async function input(picture: Raster<3 | 4>): Promise<InputImage> {
  const { width, height } = picture;
  return { bytes: await open(picture).png().toBuffer(), contentType: 'image/png', width, height };
}

/** Decibels: 3 more mean half the error. */
export function psnr(a: Picture, b: Picture): number {
  let squares = 0;
  for (let i = 0; i < a.data.length; i++) squares += (a.data[i]! - b.data[i]!) ** 2;
  return 10 * Math.log10((255 * 255 * a.data.length) / squares);
}

/** Mean likeness of structure in windows of 8 × 8, 1 where they are the same (Wang et al. 2004). */
export function ssim(a: Picture, b: Picture): number {
  let [sum, windows] = [0, 0];
  for (let top = 0; top + 8 <= a.height; top += 4) {
    for (let left = 0; left + 8 <= a.width; left += 4) {
      let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0];
      for (let k = 0; k < 64; k++) {
        const i = ((top + (k >> 3)) * a.width + left + (k & 7)) * 3 + 1;
        const [p, q] = [a.data[i]!, b.data[i]!];
        [x, y, xx, yy, xy] = [x + p / 64, y + q / 64, xx + (p * p) / 64, yy + (q * q) / 64, xy + (p * q) / 64];
      }
      const likeness = (2 * x * y + 6.5) * (2 * (xy - x * y) + 58.5);
      sum += likeness / ((x * x + y * y + 6.5) * (xx - x * x + yy - y * y + 58.5));
      windows++;
    }
  }
  return sum / windows;
}

export function meanColour({ data }: Picture): [number, number, number] {
  const mean: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < data.length; i++) mean[i % 3]! += (data[i]! * 3) / data.length;
  return mean;
}

/** Mean square of the Laplacian. */
export function fineDetail({ width, height, data }: Picture): number {
  let sum = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = (y * width + x) * 3 + 1;
      const around = data[at - 3]! + data[at + 3]! + data[at - width * 3]! + data[at + width * 3]!;
      sum += (4 * data[at]! - around) ** 2;
    }
  }
  return sum / (width * height);
}

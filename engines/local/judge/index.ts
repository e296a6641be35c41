/** Estimates how likely an image is not safe for work. */
import sharp from 'sharp';
import type { JudgeImage } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { type Square, sample } from '../vision/sample.ts';
import { classify, side } from './classifier.ts';

/** The image is read at twice the network's size, so that turning it costs no sharpness. */
const reading = side * 2;

/** Score below which the first look decides. */
const suspicious = 0.5;

/**
 * Returns 0–1. A high score must hold when the picture is turned a little: accidental patterns then score lower,
 * explicit content does not.
 */
export async function judge({ image }: JudgeImage): Promise<number> {
  const picture = await read(image);
  const first = await explicitness(picture, { size: 1, degrees: 0 });
  if (first < suspicious) return first;
  const left = await explicitness(picture, { size: 0.88, degrees: -8 });
  const right = await explicitness(picture, { size: 0.88, degrees: 8 });
  return (first + left + right) / 3;
}

/** Squeezes the whole image into a square, as in the network's training; transparency becomes white. */
async function read(image: Uint8Array): Promise<Raster<3>> {
  const data = await sharp(image)
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .resize(reading, reading, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { width: reading, height: reading, channels: 3, data };
}

/** Scantily dressed people are a class of their own in the network, and count as harmless. */
async function explicitness(picture: Raster<3>, view: { size: number; degrees: number }): Promise<number> {
  const square: Square = {
    x: reading / 2,
    y: reading / 2,
    size: reading * view.size,
    angle: (view.degrees * Math.PI) / 180,
  };
  const { porn, hentai } = await classify(sample(picture, square, side, { scale: 1 / 255, offset: 0 }));
  return porn + hentai;
}

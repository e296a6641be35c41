/** Removes the background, and its colours from the subject's edges (Forte's blur fusion). */
import type { RemoveBackground } from '../../contract/index.ts';
import { opaque } from '../pixels/alpha.ts';
import { boxBlur } from '../pixels/blur.ts';
import { enlargedRows, fractions } from '../pixels/plane.ts';
import { clamp } from '../pixels/range.ts';
import { resized } from '../pixels/resize.ts';
import { decode, make, type Made, type Raster } from '../raster.ts';
import { edgeSize } from './edges.ts';
import { subjectOf } from './subject.ts';

/** Radii of the surroundings that lend their colours, in pixels: first wide, then close. */
const radii = [45, 3];

export async function removeBackground({ image, outputFormat }: RemoveBackground): Promise<Made> {
  const raster = await decode(image);
  const { mask, model } = await subjectOf(raster);
  return make(model, await foreground(raster, mask), outputFormat);
}

/** Returns the image with `mask` as its alpha, and without the old background in half-transparent pixels. */
export async function foreground(image: Raster<3 | 4>, mask: Raster<1>): Promise<Raster> {
  const { width, height, channels, data } = image;
  const small = await resized(opaque(image), edgeSize(image), 'mitchell');
  const { front, back } = layers(small, fractions((await resized(mask, small, 'mitchell')).data));
  const frontRow = enlargedRows({ ...small, data: front }, image);
  const backRow = enlargedRows({ ...small, data: back }, image);
  const out = new Uint8Array(width * height * 4);
  for (let y = 0, i = 0; y < height; y++) {
    const [fronts, backs] = [frontRow(y), backRow(y)];
    for (let x = 0; x < width; x++, i++) {
      const part = mask.data[i]! / 255;
      if (part === 0) continue;
      out[i * 4 + 3] = mask.data[i]!;
      for (let c = 0; c < 3; c++) {
        const own = data[i * channels + c]!;
        const value = unmixed(own / 255, part, fronts[x * 3 + c]!, backs[x * 3 + c]!);
        out[i * 4 + c] = part === 1 ? own : Math.round(255 * value);
      }
    }
  }
  return { width, height, channels: 4, data: out };
}

/** Unmixes the subject's colour. Detail that the layers do not explain belongs mostly to the subject. */
function unmixed(own: number, part: number, front: number, back: number): number {
  const rest = own - part * front - (1 - part) * back;
  return clamp(front + (part * rest) / (part * part + (1 - part) * (1 - part)));
}

/**
 * Returns the colours of the subject and of the background, RGB of 0–1: the means around each pixel, weighted by
 * alpha. Each round starts from the previous one's colours.
 */
function layers({ width, height, data }: Raster<3>, alpha: Float32Array) {
  const colours = fractions(data);
  const mean = (values: Float32Array, weights: Float32Array, radius: number) => {
    const weighted = values.map((value, i) => value * weights[Math.floor(i / 3)]!);
    const sums = boxBlur(weighted, width, height, radius, 1, 3);
    const shares = boxBlur(weights, width, height, radius);
    return sums.map((sum, i) => sum / (shares[Math.floor(i / 3)]! + 1e-5));
  };
  const rest = alpha.map((part) => 1 - part);
  let [front, back] = [colours, colours];
  for (const radius of radii) {
    const near = mean(front, alpha, radius);
    back = mean(back, rest, radius);
    front = colours.map((own, i) => {
      const part = alpha[Math.floor(i / 3)]!;
      return clamp(near[i]! + part * (own - part * near[i]! - (1 - part) * back[i]!));
    });
  }
  return { front, back };
}

/** Restores a blurred face: enlarges it from half its size with the neural upscaler, then removes blur. */
import type { Raster } from '../raster.ts';
import { enlarge } from '../upscale/enlarge.ts';
import type { Network } from '../upscale/networks.ts';
import { smoothstep } from '../pixels/range.ts';
import { boxBlur, gaussian } from '../pixels/blur.ts';
import { type Planes, toPlanes, withBrightness } from './planes.ts';
import { resized } from '../pixels/resize.ts';

/** Most pixels for each network: with these, `thick` takes a few seconds and `slim` about one. */
const limits = { thick: 12_000, slim: 160_000 };

/**
 * Returns the share of detail that the pixels could hold: 0.9 and more if crisp, 0.5 if enlarged from half the pixels,
 * 0.3 if blurred by two pixels or enlarged from a quarter.
 */
function crispness({ y, width, height }: Planes): number {
  const [fine, coarse] = [boxBlur(y, width, height, 1, 1), boxBlur(y, width, height, 2, 2)];
  let [finest, finer] = [0, 0];
  for (let at = 0; at < y.length; at++) {
    finest += (y[at]! - fine[at]!) ** 2;
    finer += (fine[at]! - coarse[at]!) ** 2;
  }
  return Math.sqrt(finest / (finer + 1e-9));
}

/** Makes a face crisp. A face that is already crisp stays unchanged. */
export async function restore(image: Raster, network: 'slim' | 'thick', strength = 1): Promise<Planes> {
  const own = toPlanes(image);
  const crisp = crispness(own);
  const share = strength * (1 - smoothstep(0.5, 0.85, crisp));
  if (share < 0.05) return own;
  const mixed = await throughHalf(image, own, network, share);
  // Measured: at a crispness of a half, the blur is 0.6 pixels wide; at a third, 1.3 pixels.
  return sharpen(mixed, share * Math.min(1.3, 0.6 + Math.max(0, 0.5 - crisp) * 4));
}

/** Mixes in the upscaler's version of half the pixels. A large face only needs its blur removed. */
async function throughHalf(image: Raster, own: Planes, wanted: 'slim' | 'thick', share: number): Promise<Planes> {
  const [width, height] = [Math.ceil(image.width / 2), Math.ceil(image.height / 2)];
  if (width * height > limits.slim) return own;
  const half = await resized(image, { width, height });
  const network: Network = wanted === 'thick' && width * height <= limits.thick ? 'thick-2x' : 'slim-2x';
  const enlarged = toPlanes(await resized(await enlarge(half, network), image));
  const mix = (a: Float32Array, b: Float32Array) => a.map((value, at) => value + share * (b[at]! - value));
  return { ...own, y: mix(own.y, enlarged.y), cb: mix(own.cb, enlarged.cb), cr: mix(own.cr, enlarged.cr) };
}

/** Landweber's iteration: adds what a blur of this width would take away from the result. */
function sharpen(planes: Planes, sigma: number): Planes {
  let result = planes.y;
  for (let round = 0; round < 3; round++) {
    const blurred = gaussian(result, planes.width, planes.height, sigma);
    result = result.map((value, at) => value + planes.y[at]! - blurred[at]!);
  }
  return withBrightness(planes, (_, at) => result[at]!);
}

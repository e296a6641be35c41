/** Finds the mask of the region to which an edit applies: the client's mask, an object, the subject or the sky. */
import { EngineError } from '../../contract/index.ts';
import { named, subjectMaskIfAny } from '../cutout/masks.ts';
import { type Colour, oklab } from '../oklab.ts';
import { inverted, opaque } from '../pixels/alpha.ts';
import { flood } from '../pixels/flood.ts';
import { guided } from '../pixels/guided.ts';
import { extreme } from '../pixels/parts.ts';
import { plane } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import type { Where } from './edits.ts';
import type { Picture } from './picture.ts';

/** Returns the region as a mask; the client's mask overrides a noun. */
export async function regionOf(picture: Picture, where: Where | undefined): Promise<Raster<1> | null> {
  const { mask } = picture;
  if (!where) return mask;
  if (!where.outside) return mask ?? maskOf(picture, where.noun);
  const rest = inverted(await maskOf(picture, where.noun));
  return mask ? { ...rest, data: rest.data.map((value, i) => Math.round((value * mask.data[i]!) / 255)) } : rest;
}

export async function maskOf(picture: Picture, noun: string): Promise<Raster<1>> {
  if (noun === 'subject') return subjectOf(picture);
  if (noun === 'background') return inverted(await subjectOf(picture));
  if (noun === 'sky') return skyMask(picture.raster);
  return (await named(picture.raster, noun)).mask;
}

/** Finds the subject once: edits of light and colour do not move it. */
export async function subjectOf(picture: Picture): Promise<Raster<1>> {
  picture.subject ??= (await named(picture.raster, 'subject')).mask;
  return picture.subject;
}

export async function subjectIfAny(picture: Picture): Promise<Raster<1> | null> {
  picture.subject ??= await subjectMaskIfAny(picture.raster);
  return picture.subject;
}

/** Returns 1 up to `by` pixels around the places where the mask is above `from`, which is 0–255. */
export function grown({ width, height, data }: Raster<1>, by: number, from = 64): Uint8Array {
  const covered = data.map((value) => (value > from ? 1 : 0));
  return extreme('greatest', covered, width, height, by);
}

/** Returns the share of the pixels up to `by` around a mask of 0 and 1 that the subject covers. */
export function shareAround(mask: Uint8Array, { width, height, data }: Raster<1>, by: number): number {
  const near = extreme('greatest', mask, width, height, by);
  const around = data.filter((_, i) => near[i] && !mask[i]);
  return around.filter((value) => value > 127).length / Math.max(1, around.length);
}

/** Minimum share of the picture; a smaller sky is too little to be meant. */
const leastSky = 0.04;
/** Largest difference between neighbouring pixels of the sky, in OKLab. */
const step = 0.028;

/** Finds the sky: a smooth area, blue or bright, that reaches down from the upper edge. */
async function skyMask(raster: Raster): Promise<Raster<1>> {
  const small = opaque(await resized(raster, fitting(raster, 420, 8), 'linear'));
  const { width, height, data } = small;
  const colours = Array.from({ length: width * height }, (_, i) =>
    oklab([data[i * 3]! / 255, data[i * 3 + 1]! / 255, data[i * 3 + 2]! / 255]),
  );
  const top = [...Array(width).keys()].filter((x) => isSky(colours[x]!));
  const reached = flood(width, height, top, (to, from) => {
    const [own, other] = [colours[to]!, colours[from]!];
    return isSky(own) && Math.hypot(...own.map((value, k) => value - other[k]!)) <= step;
  });
  if (reached.reduce((sum, value) => sum + value, 0) < leastSky * reached.length) {
    throw new EngineError('input_invalid', 'No sky in the image.', { publicMessage: 'No sky was found in the image.' });
  }
  return guided(plane(width, height, Float32Array.from(reached)), small, raster, 4, 0.0008);
}

/** Returns whether a colour can be sky: blue, or bright and pale, or warm but not green, as at sunset. */
function isSky([L, a, b]: Colour): boolean {
  const chroma = Math.hypot(a, b);
  const isBlue = b < -0.012 && a < 0.05;
  const isPale = L > 0.72 && chroma < 0.06;
  const isGlowing = L > 0.6 && b > 0 && a > -0.015 && chroma < 0.2;
  return isBlue || isPale || isGlowing;
}

/** Finds the mask of the region to which a clause applies. */
import { nounMask, subjectMask, subjectMaskIfAny } from '../cutout/masks.ts';
import { inverted } from '../pixels/alpha.ts';
import { extreme } from '../pixels/parts.ts';
import type { Raster } from '../raster.ts';
import type { Where } from './edits.ts';
import { skyMask } from './sky.ts';
import type { Picture } from './picture.ts';

/** Returns the region as a mask; the client's mask overrides a noun. */
export async function regionOf(picture: Picture, where: Where | undefined): Promise<Raster<1> | null> {
  const { mask } = picture;
  if (!where) return mask;
  if (!where.outside) return mask ?? maskOf(picture, where.noun);
  const rest = inverted(await maskOf(picture, where.noun));
  return mask ? times(rest, mask) : rest;
}

export async function maskOf(picture: Picture, noun: string): Promise<Raster<1>> {
  if (noun === 'subject') return subjectOf(picture);
  if (noun === 'background') return inverted(await subjectOf(picture));
  if (noun === 'sky') return skyMask(picture.raster);
  return nounMask(picture.raster, noun);
}

/** Finds the subject once: edits of light and colour do not move it. */
export async function subjectOf(picture: Picture): Promise<Raster<1>> {
  picture.subject ??= await subjectMask(picture.raster);
  return picture.subject;
}

export async function subjectIfAny(picture: Picture): Promise<Raster<1> | null> {
  picture.subject ??= await subjectMaskIfAny(picture.raster);
  return picture.subject;
}

function times(a: Raster<1>, b: Raster<1>): Raster<1> {
  return { ...a, data: a.data.map((v, i) => Math.round((v * b.data[i]!) / 255)) };
}

/** Returns 1 up to `by` pixels around the places where the mask is above `from`, which is 0–255. */
export function grown({ width, height, data }: Raster<1>, by: number, from = 64): Uint8Array {
  const covered = data.map((value) => (value > from ? 1 : 0));
  return extreme('greatest', covered, width, height, by);
}

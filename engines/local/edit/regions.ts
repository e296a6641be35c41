/** Where a clause applies, as a mask. */
import { EngineError } from '../../engine.ts';
import { nounMask, subjectMask } from '../cutout/masks.ts';
import type { Raster } from '../raster.ts';
import type { Where } from './edits.ts';
import { skyMask } from './sky.ts';
import type { Picture } from './picture.ts';

/** The client's mask has the last word about where a thing is. */
export async function regionOf(picture: Picture, where: Where | undefined): Promise<Raster<1> | null> {
  const { mask } = picture;
  if (!where) return mask;
  if (!where.outside) return mask ?? maskOf(picture, where.noun);
  const rest = inverse(await maskOf(picture, where.noun));
  return mask ? times(rest, mask) : rest;
}

export async function maskOf(picture: Picture, noun: string): Promise<Raster<1>> {
  if (noun === 'subject') return subjectOf(picture);
  if (noun === 'background') return inverse(await subjectOf(picture));
  if (noun === 'sky') return skyMask(picture.raster);
  return nounMask(picture.raster, noun);
}

/** Looked for once: edits of light and colour do not move it. */
export async function subjectOf(picture: Picture): Promise<Raster<1>> {
  picture.subject ??= await subjectMask(picture.raster);
  return picture.subject;
}

export async function subjectIfAny(picture: Picture): Promise<Raster<1> | null> {
  try {
    return await subjectOf(picture);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

function inverse(mask: Raster<1>): Raster<1> {
  return { ...mask, data: mask.data.map((v) => 255 - v) };
}

function times(a: Raster<1>, b: Raster<1>): Raster<1> {
  return { ...a, data: a.data.map((v, i) => Math.round((v * b.data[i]!) / 255)) };
}

/** Not 0 within `by` pixels of what the mask covers: square by square, along rows and then columns. */
export function grown({ width, height, data }: Raster<1>, by: number, from = 64): Uint8Array {
  const rows = new Uint8Array(width * height);
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    let since = Infinity;
    for (let x = 0; x < width + by; x++) {
      since = x < width && data[y * width + x]! > from ? 0 : since + 1;
      if (since <= 2 * by && x >= by) rows[y * width + x - by] = 1;
    }
    for (let x = 0; x < Math.min(by, width); x++)
      if (data[y * width + x]! > from) rows.fill(1, y * width, y * width + Math.min(width, x + by + 1));
  }
  for (let x = 0; x < width; x++) {
    let since = Infinity;
    for (let y = 0; y < height + by; y++) {
      since = y < height && rows[y * width + x] ? 0 : since + 1;
      if (since <= 2 * by && y >= by) out[(y - by) * width + x] = 1;
    }
  }
  return out;
}

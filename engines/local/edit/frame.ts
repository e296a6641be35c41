/** Cuts the frame, and chooses the cut that keeps faces and the subject. */
import type { Raster } from '../raster.ts';
import { findFaces, requireFaces } from '../vision/faces.ts';
import { type Box, boundsOf, boxAround, crop, grown, within } from '../pixels/box.ts';
import { framed, type Picture } from './picture.ts';
import { maskOf, subjectIfAny } from './regions.ts';
import { clamp } from '../pixels/range.ts';

interface Size {
  width: number;
  height: number;
}

export function cut(picture: Picture, box: Box): Promise<Picture> {
  return framed(picture, (raster) => crop(raster, box));
}

/** Returns the smallest whole numbers of a ratio such as "16:9", so that a size can have exactly that ratio. */
function parts(ratio: string): [number, number] {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
  const scale = Number.isInteger(w) && Number.isInteger(h) ? 1 : 100;
  let [a, b] = [Math.round(w * scale), Math.round(h * scale)];
  while (b) [a, b] = [b, a % b];
  return [Math.round((w * scale) / a), Math.round((h * scale) / a)];
}

/**
 * Returns the largest size of a ratio within a size, or the smallest around it. The ratio is exact unless its numbers
 * are too large for the picture.
 */
export function sizeFor(ratio: string, { width, height }: Size, where: 'within' | 'around'): Size {
  const [w, h] = parts(ratio);
  const isWithin = where === 'within';
  const scale = isWithin ? Math.min(width / w, height / h) : Math.max(width / w, height / h);
  const whole = isWithin ? Math.floor(scale) : Math.ceil(scale);
  const times = whole >= 8 ? whole : scale;
  return { width: Math.max(1, Math.round(times * w)), height: Math.max(1, Math.round(times * h)) };
}

export async function cutToRatio(picture: Picture, ratio: string): Promise<Picture> {
  const { width, height } = sizeFor(ratio, picture.raster, 'within');
  if (width === picture.raster.width && height === picture.raster.height) return picture;
  return cut(picture, around(await focusOf(picture), picture.raster, width, height));
}

/** Returns a window around the middle of a box, moved into the picture. */
export function around(focus: Box, picture: Size, width: number, height: number): Box {
  const hold = (n: number, most: number): number => Math.round(clamp(n, 0, most));
  return {
    x: hold(focus.x + focus.width / 2 - width / 2, picture.width - width),
    y: hold(focus.y + focus.height / 2 - height / 2, picture.height - height),
    width,
    height,
  };
}

/** Returns the box that a cut keeps: the faces, else the subject, else the whole picture. */
export async function focusOf(picture: Picture): Promise<Box> {
  const { raster } = picture;
  const faces = (await findFaces(raster)).map(({ box }) => box);
  const main = faces.filter((box) => box.width > faces[0]!.width * 0.4);
  if (main.length > 0) return widened(boxAround(main), 0.2);
  const subject = await subjectIfAny(picture);
  return (subject && boxOf(subject)) ?? { x: 0, y: 0, width: raster.width, height: raster.height };
}

/** Cuts the picture to an object with some room around it. */
export async function cutTo(picture: Picture, noun: string): Promise<Picture> {
  const { raster } = picture;
  if (/^(?:faces?|head|headshot|portrait|his face|her face)$/u.test(noun)) {
    const faces = await requireFaces(raster);
    return cut(picture, within(widened(boxAround(faces.map(({ box }) => box)), 0.55), raster));
  }
  const found = boxOf(await maskOf(picture, noun));
  return found ? cut(picture, within(widened(found, 0.08), raster)) : picture;
}

const widened = (box: Box, by: number): Box => grown(box, by * Math.max(box.width, box.height));

const boxOf = (mask: Raster<1>): Box | null => boundsOf(mask.data, mask.width, 127);

/** Cuts the frame so that faces and the subject stay, or enlarges it and continues the picture. */
import { maskOf } from '../pixels/alpha.ts';
import { type Box, boundsOf, boxAround, crop, grown, within } from '../pixels/box.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { distanceTo } from '../pixels/parts.ts';
import { mapped, plane } from '../pixels/plane.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { type Raster, refuseResult, type Size } from '../raster.ts';
import { findFaces } from '../vision/faces.ts';
import { blurred } from './detail.ts';
import type { Sides } from './edits.ts';
import { inpaint } from './fill/inpaint.ts';
import { blended, framed, type Picture } from './picture.ts';
import { grown as grownMask, maskOf as maskOfNoun, shareAround, subjectIfAny } from './regions.ts';

export function cut(picture: Picture, box: Box): Promise<Picture> {
  return framed(picture, (raster) => crop(raster, box));
}

/**
 * Returns the largest size of a ratio within a size, or the smallest around it. The ratio is exact unless its numbers
 * are too large for the picture.
 */
export function sizeFor(ratio: string, { width, height }: Size, where: 'within' | 'around'): Size {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
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
  const found = boxOf(await maskOfNoun(picture, noun));
  const room = /^faces?$/u.test(noun) ? 0.55 : 0.08;
  return found ? cut(picture, within(widened(found, room), picture.raster)) : picture;
}

const widened = (box: Box, by: number): Box => grown(box, by * Math.max(box.width, box.height));
const boxOf = (mask: Raster<1>): Box | null => boundsOf(mask.data, mask.width, 127);

/** Share of the rim that the subject may touch; beyond it, invented content cannot continue the subject. */
const mostCut = 0.15;

/** Converts percent of the picture's size, at most 300, to pixels. */
export function pixelsOf(by: Sides, { width, height }: Size): Sides {
  const of = (percent: number, size: number): number => Math.round((Math.min(300, percent) / 100) * size);
  return {
    left: of(by.left, width),
    right: of(by.right, width),
    top: of(by.top, height),
    bottom: of(by.bottom, height),
  };
}

/** Continues the picture beyond its frame. @param by pixels on each side */
export async function extended(picture: Picture, by: Sides, seed: number): Promise<Picture> {
  const { raster } = picture;
  const [width, height] = [raster.width + by.left + by.right, raster.height + by.top + by.bottom];
  refuseResult({ width, height }, 'png');
  const grow = <C extends 1 | 4>(r: Raster<C>): Raster<C> => bordered(r, by, 'empty');
  const inside = grow({ ...raster, channels: 1, data: new Uint8Array(raster.width * raster.height).fill(1) }).data;
  const mask = inside.map((value) => 1 - value);
  const found = await subjectIfAny(picture);
  const subject = found && grow(found);
  // A copy of the subject at the rim would be worse than any background.
  const avoid = subject ? grownMask(subject, Math.ceil(Math.max(width, height) / 100)) : undefined;
  const isCut = subject && shareAround(mask, subject, 2) > mostCut;
  return {
    raster: isCut ? await reflected(raster, by, inside) : await inpaint(grow(raster), { mask, avoid, seed }),
    mask: picture.mask && grow(picture.mask),
    subject: picture.subject && grow(picture.subject),
  };
}

/** Adds a border that is empty or continues the raster with its reflection. */
function bordered<C extends 1 | 4>(
  { width, height, channels, data }: Raster<C>,
  by: Sides,
  beyond: 'empty' | 'mirrored',
): Raster<C> {
  return inOpenCv(({ cv, bytes, empty }) => {
    const [from, to] = [bytes(data, width, height, channels), empty()];
    const border = beyond === 'mirrored' ? cv.BORDER_REFLECT : cv.BORDER_CONSTANT;
    cv.copyMakeBorder(from, to, by.top, by.bottom, by.left, by.right, border);
    const size = { width: width + by.left + by.right, height: height + by.top + by.bottom };
    return { ...size, channels, data: to.data.slice() };
  });
}

/** Extends a picture with its reflection, softer farther out: for content that cannot be made up believably. */
async function reflected(raster: Raster, by: Sides, inside: Uint8Array): Promise<Raster> {
  const whole = bordered(raster, by, 'mirrored');
  const { width, height } = whole;
  const longest = Math.max(width, height);
  const outward = plane(width, height, distanceTo(inside, width, height));
  const share = mapped(outward, (distance) => smoothstep(0, 0.06 * longest, distance));
  return blended(whole, await blurred(whole, longest * 0.035), maskOf(share));
}

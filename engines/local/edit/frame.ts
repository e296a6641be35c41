/** Cuts the frame, and chooses the cut that keeps faces and the subject. */
import type { Raster } from '../raster.ts';
import { findFaces, requireFaces } from '../vision/faces.ts';
import { type Box, boxAround, crop, grown, within } from '../pixels/box.ts';
import { framed, type Picture } from './picture.ts';
import { maskOf, subjectIfAny } from './regions.ts';
import { clamp } from '../pixels/range.ts';

export function cut(picture: Picture, box: Box): Promise<Picture> {
  return framed(picture, (raster) => crop(raster, box));
}

/** Returns the smallest whole numbers of a ratio such as "16:9", so that a size can have exactly that ratio. */
export function parts(ratio: string): [number, number] {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
  const scale = Number.isInteger(w) && Number.isInteger(h) ? 1 : 100;
  let [a, b] = [Math.round(w * scale), Math.round(h * scale)];
  while (b) [a, b] = [b, a % b];
  return [Math.round((w * scale) / a), Math.round((h * scale) / a)];
}

/** Returns the largest frame of a ratio; the ratio is exact unless its numbers are too large for the picture. */
function inner(size: { width: number; height: number }, ratio: string): { width: number; height: number } {
  const [w, h] = parts(ratio);
  const times = Math.floor(Math.min(size.width / w, size.height / h));
  if (times >= 8) return { width: times * w, height: times * h };
  const k = Math.min(size.width / w, size.height / h);
  return { width: Math.max(1, Math.round(w * k)), height: Math.max(1, Math.round(h * k)) };
}

export async function cutToRatio(picture: Picture, ratio: string): Promise<Picture> {
  const { width, height } = inner(picture.raster, ratio);
  if (width === picture.raster.width && height === picture.raster.height) return picture;
  return cut(picture, around(await focusOf(picture), picture.raster, width, height));
}

/** Returns a window around the middle of a box, moved into the picture. */
export function around(focus: Box, picture: { width: number; height: number }, width: number, height: number): Box {
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

/** Returns the box around the covered part of a mask, without its stray pixels; null for an empty mask. */
function boxOf({ width, height, data }: Raster<1>): Box | null {
  const [columns, rows] = [new Float64Array(width), new Float64Array(height)];
  let total = 0;
  for (let i = 0; i < data.length; i++) {
    const v = data[i]! > 127 ? 1 : 0;
    columns[i % width]! += v;
    rows[(i / width) | 0]! += v;
    total += v;
  }
  if (total === 0) return null;
  const ends = (counts: Float64Array): [number, number] => {
    let [low, high] = [0, counts.length - 1];
    for (let sum = 0; low < high && (sum += counts[low]!) < total * 0.003; low++);
    for (let sum = 0; high > low && (sum += counts[high]!) < total * 0.003; high--);
    return [low, high];
  };
  const [[x0, x1], [y0, y1]] = [ends(columns), ends(rows)];
  return { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 };
}

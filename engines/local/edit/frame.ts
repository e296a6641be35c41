/** Cuts the frame, and finds the cut that keeps what the picture is about. */
import { EngineError } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { findFaces } from '../vision/faces.ts';
import { type Box, crop } from '../pixels/box.ts';
import { framed, type Picture } from './picture.ts';
import { maskOf, subjectIfAny } from './regions.ts';
import { clamp } from '../pixels/range.ts';

export function cut(picture: Picture, box: Box): Promise<Picture> {
  return framed(picture, (raster) => crop(raster, box));
}

/** "16:9" in whole numbers, so that a size can have exactly that ratio. */
export function parts(ratio: string): [number, number] {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
  const scale = Number.isInteger(w) && Number.isInteger(h) ? 1 : 100;
  let [a, b] = [Math.round(w * scale), Math.round(h * scale)];
  while (b) [a, b] = [b, a % b];
  return [Math.round((w * scale) / a), Math.round((h * scale) / a)];
}

/** The largest frame of a ratio; exactly so unless the ratio's numbers are too large for the picture. */
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

/** A window of a size around the middle of a box, held within the picture. */
export function around(focus: Box, within: { width: number; height: number }, width: number, height: number): Box {
  const hold = (n: number, most: number): number => Math.round(clamp(n, 0, most));
  return {
    x: hold(focus.x + focus.width / 2 - width / 2, within.width - width),
    y: hold(focus.y + focus.height / 2 - height / 2, within.height - height),
    width,
    height,
  };
}

/** Faces first, then the subject, then the middle. */
export async function focusOf(picture: Picture): Promise<Box> {
  const { raster } = picture;
  const [first, ...others] = await findFaces(raster);
  if (first) {
    const boxes = [first, ...others].map(({ box }) => box).filter((box) => box.width > first.box.width * 0.4);
    return widened(union(boxes), 0.2);
  }
  const subject = await subjectIfAny(picture);
  return (subject && boxOf(subject)) ?? whole(raster);
}

/** What "crop to the …" means: the thing with some air around it. */
export async function cutTo(picture: Picture, noun: string): Promise<Picture> {
  const { raster } = picture;
  let box: Box | null;
  if (/^(?:faces?|head|headshot|portrait|his face|her face)$/u.test(noun)) {
    const faces = await findFaces(raster);
    if (faces.length === 0)
      throw new EngineError('face_not_found', 'No face to crop to.', {
        publicMessage: 'No face was found in the image.',
      });
    box = widened(union(faces.map((face) => face.box)), 0.55);
  } else {
    const mask = await maskOf(picture, noun);
    const found = boxOf(mask);
    box = found && widened(found, 0.08);
  }
  return cut(picture, held(box ?? whole(raster), raster));
}

const whole = ({ width, height }: { width: number; height: number }): Box => ({ x: 0, y: 0, width, height });

function union(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))];
  const right = Math.max(...boxes.map((b) => b.x + b.width));
  const bottom = Math.max(...boxes.map((b) => b.y + b.height));
  return { x, y, width: right - x, height: bottom - y };
}

function widened({ x, y, width, height }: Box, by: number): Box {
  const room = by * Math.max(width, height);
  return { x: x - room, y: y - room, width: width + 2 * room, height: height + 2 * room };
}

function held(box: Box, within: { width: number; height: number }): Box {
  const x = clamp(Math.round(box.x), 0, within.width - 1);
  const y = clamp(Math.round(box.y), 0, within.height - 1);
  const right = clamp(Math.round(box.x + box.width), x + 1, within.width);
  const bottom = clamp(Math.round(box.y + box.height), y + 1, within.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** Around what a mask covers, less its stray pixels. */
function boxOf({ width, height, data }: Raster<1>): Box | null {
  const [columns, rows] = [new Float64Array(width), new Float64Array(height)];
  let total = 0;
  for (let i = 0; i < data.length; i++) {
    const v = data[i]! > 127 ? 1 : 0;
    columns[i % width] = columns[i % width]! + v;
    rows[(i / width) | 0] = rows[(i / width) | 0]! + v;
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

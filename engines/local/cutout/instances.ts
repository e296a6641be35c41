/** Finds the objects inside boxes: looks closely at each box and keeps the parts that lie mostly inside it. */
import { opaque } from '../pixels/alpha.ts';
import { type Box, contains, grown, within } from '../pixels/box.ts';
import { partsOf } from '../pixels/parts.ts';
import { type Plane, plane, where } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import { attention, lookAt } from './attention.ts';

/** Longer side of the map, in pixels. */
const side = 640;

/** Longer side of the image that the looks are cut from. */
const detail = 1600;

/** Margins as shares of the box: detectors draw tight boxes, and a look needs surroundings. */
const tolerance = 0.06;
const surroundings = 0.18;

/** Share of a part inside the box above which the whole part belongs to the box. */
const belongs = 0.65;

/** Returns the highest likelihood of all boxes at each pixel. */
export async function likelyIn(image: Raster<3 | 4>, boxes: readonly Box[]): Promise<Plane> {
  const { width, height } = fitting(image, side, 3);
  const source = await resized(opaque(image), fitting(image, detail, 3), 'mitchell');
  const zoom = width / image.width;
  const all = plane(width, height);
  for (const box of boxes) {
    const small = { x: box.x * zoom, y: box.y * zoom, width: box.width * zoom, height: box.height * zoom };
    const near = widened(small, surroundings, all);
    const isLarge = near.width * near.height > 0.7 * width * height;
    const look = isLarge ? (await attention(image)).map : await lookAt(source, all, near);
    const own = sharesOf(look, widened(small, tolerance, all));
    for (let i = 0; i < own.length; i++) all.data[i] = Math.max(all.data[i]!, Math.min(own[i]!, look.data[i]!));
  }
  return all;
}

/** Returns 1 in the box and on the parts that lie mostly in it, 0 elsewhere. */
function sharesOf({ width, height, data }: Plane, box: Box): Float32Array {
  // Faint values are included, to keep soft edges.
  const faint = where(data, (value) => value > 0.1);
  const { labels, areas } = partsOf(faint, width, height);
  const isInside = (i: number) => contains(box, { x: i % width, y: Math.floor(i / width) });
  const inside = areas.map(() => 0);
  labels.forEach((label, i) => isInside(i) && inside[label]!++);
  const isWhole = areas.map((area, label) => inside[label]! > belongs * area);
  return data.map((_, i) => (labels[i]! > 0 && (isWhole[labels[i]!] || isInside(i)) ? 1 : 0));
}

const widened = (box: Box, share: number, image: Plane): Box =>
  within(grown(box, share * box.width, share * box.height), image);

/** Finds the objects inside boxes: looks closely at each box and keeps the parts that lie mostly inside it. */
import type { Raster } from '../raster.ts';
import { attention, lookAt } from './attention.ts';
import { opaque } from '../pixels/alpha.ts';
import { type Box, grown, within } from '../pixels/box.ts';
import { partsOf } from '../pixels/parts.ts';
import { type Plane, plane, where } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';

/** Longer side of the map, in pixels. */
const side = 640;

/** Longer side of the image that the looks are cut from. */
const detail = 1600;

/** Margins as shares of the box: detectors draw tight boxes, and a look needs surroundings. */
const tolerance = 0.06;
const surroundings = 0.18;

/** Share of a part inside the box above which the whole part belongs to the box. */
const belongs = 0.65;

/** A likelihood that leaves the decision to the colours. */
const undecided = 0.55;

/**
 * Returns the highest likelihood of all boxes at each pixel.
 * @param attended returns the map of the whole image, for a large box and for one that cuts through its object
 */
export async function likelyIn(
  image: Raster<3 | 4>,
  boxes: readonly Box[],
  attended = () => attention(image),
): Promise<Plane> {
  const { width, height } = fitting(image, side, 3);
  const source = await resized(opaque(image), fitting(image, detail, 3), 'mitchell');
  const zoom = width / image.width;
  const all = plane(width, height);
  let whole: Plane | undefined;
  for (const box of boxes) {
    const small = { x: box.x * zoom, y: box.y * zoom, width: box.width * zoom, height: box.height * zoom };
    const inner = widened(small, tolerance, all);
    const near = widened(small, surroundings, all);
    const large = near.width * near.height > 0.7 * width * height;
    const looks = large ? [] : [await lookAt(source, { width, height }, near)];
    // A box may end in the middle of its object.
    if (large || cutOff(looks[0]!, near)) looks.push((whole ??= (await attended()).map));
    for (const look of looks) {
      const own = sharesOf(look, inner);
      for (let i = 0; i < own.length; i++) all.data[i] = Math.max(all.data[i]!, Math.min(own[i]!, look.data[i]!));
    }
  }
  return all;
}

/** Returns whether an object continues beyond an edge of the look that is not an edge of the image. */
function cutOff({ width, height, data }: Plane, { x, y, width: w, height: h }: Box): boolean {
  const right = x + w;
  const bottom = y + h;
  let count = 0;
  for (let row = y; row < bottom; row++) {
    if (x > 0 && data[row * width + x]! > 0.5) count++;
    if (right < width && data[row * width + right - 1]! > 0.5) count++;
  }
  for (let column = x; column < right; column++) {
    if (y > 0 && data[y * width + column]! > 0.5) count++;
    if (bottom < height && data[(bottom - 1) * width + column]! > 0.5) count++;
  }
  return count > 0.02 * (w + h);
}

/** Returns weights: 1 on parts that lie mostly in the box; on others, 1 in its middle and less in its corners. */
function sharesOf({ width, height, data }: Plane, box: Box): Float32Array {
  // Faint values are included, to keep soft edges.
  const faint = where(data, (value) => value > 0.1);
  const parts = partsOf(faint, width, height);
  const [rx, ry] = [box.width / 2, box.height / 2];
  const middle = (i: number) => {
    const x = ((i % width) + 0.5 - box.x - rx) / rx;
    const y = (Math.floor(i / width) + 0.5 - box.y - ry) / ry;
    if (Math.max(Math.abs(x), Math.abs(y)) > 1) return 0;
    return x * x + y * y <= 1 ? 1 : undecided;
  };
  const inside = parts.areas.map(() => 0);
  parts.labels.forEach((label, i) => {
    if (middle(i) > 0) inside[label]!++;
  });
  const whole = parts.areas.map((area, label) => inside[label]! > belongs * area);
  return data.map((_, i) => {
    const label = parts.labels[i]!;
    if (label === 0) return 0;
    return whole[label] ? 1 : middle(i);
  });
}

const widened = (box: Box, share: number, image: Plane): Box =>
  within(grown(box, share * box.width, share * box.height), image);

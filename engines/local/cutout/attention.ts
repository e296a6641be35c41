/** Finds the subject: looks at the whole image, then closer at a small subject, or wider if the map is doubtful. */
import sharp from 'sharp';
import type { Raster } from '../raster.ts';
import { opaque } from '../pixels/alpha.ts';
import { type Box, boundsOf, grown, within } from '../pixels/box.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';
import { resizedPlane } from '../pixels/resample.ts';
import { type Saliency, saliency } from './u2netp.ts';

/** Longer side of the resulting map, in pixels. */
const side = 640;

/** Share of doubtful pixels above which a wider look is worth its time. */
const doubtful = 0.1;

/** Returns how likely each pixel belongs to the subject, at a reduced size. */
export async function attention(image: Raster<3 | 4>): Promise<Saliency> {
  const { width, height } = fitting(image, side, 3);
  const small = await resized(opaque(image), fitting(image, 2 * side, 3), 'mitchell');
  const { map: first, peak } = await saliency(small);
  let map = resizedPlane(first, width, height);
  const box = boundsOf(map.data, width, 0.5);
  if (box && box.width * box.height < 0.35 * width * height) {
    map = await closer(small, map, box);
  } else if (doubtIn(map) > doubtful) {
    map = await wider(small, map);
  }
  return { map, peak };
}

/** Looks closer, because a small subject then shows more of its outline. */
async function closer(image: Raster<3>, map: Plane, box: Box): Promise<Plane> {
  const room = 0.2 * Math.max(box.width, box.height);
  const look = await lookAt(image, map, within(grown(box, room), map));
  return alike(look, map) ? look : map;
}

/** Returns a map of the whole image that is 0 outside `box`, which is in pixels of `size`. */
export async function lookAt(image: Raster<3 | 4>, size: { width: number; height: number }, box: Box): Promise<Plane> {
  const zoom = image.width / size.width;
  const zoomY = image.height / size.height;
  const [x, y] = [Math.floor(box.x), Math.floor(box.y)];
  const [w, h] = [Math.min(size.width - x, Math.ceil(box.width)), Math.min(size.height - y, Math.ceil(box.height))];
  const { map } = await saliency(image, { x: x * zoom, y: y * zoomY, width: w * zoom, height: h * zoomY });
  const part = resizedPlane(map, w, h);
  const out = plane(size.width, size.height);
  for (let row = 0; row < h; row++) {
    out.data.set(part.data.subarray(row * w, (row + 1) * w), (y + row) * size.width + x);
  }
  return out;
}

/** Adds a gray frame, so that the network sees an object at the border as a whole. */
async function wider({ width, height, data }: Raster<3>, map: Plane): Promise<Plane> {
  const frame = Math.round(0.15 * Math.max(width, height));
  const framed = await sharp(data, { raw: { width, height, channels: 3 } })
    .extend({ top: frame, bottom: frame, left: frame, right: frame, background: '#7f7f7f' })
    .raw()
    .toBuffer();
  const [w, h] = [width + 2 * frame, height + 2 * frame];
  const { map: look } = await saliency({ width: w, height: h, channels: 3, data: framed });
  const zoom = map.width / width;
  const fine = resizedPlane(look, Math.round(w * zoom), Math.round(h * zoom));
  const [left, top] = [(fine.width - map.width) >> 1, (fine.height - map.height) >> 1];
  const out = plane(map.width, map.height);
  for (let i = 0; i < out.data.length; i++) {
    const at = (top + Math.floor(i / map.width)) * fine.width + left + (i % map.width);
    const value = map.data[i]!;
    const doubt = 1 - Math.abs(2 * value - 1);
    out.data[i] = value + (fine.data[at]! - value) * Math.min(1, 1.5 * doubt);
  }
  return out;
}

function doubtIn({ data }: Plane): number {
  return data.reduce((count, value) => count + (value > 0.15 && value < 0.85 ? 1 : 0), 0) / data.length;
}

function alike(a: Plane, b: Plane): boolean {
  let [both, either] = [0, 0];
  a.data.forEach((value, i) => {
    both += Math.min(value, b.data[i]!);
    either += Math.max(value, b.data[i]!);
  });
  return both > 0.7 * either;
}

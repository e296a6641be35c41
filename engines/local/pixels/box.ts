/** Rectangles of an image, in pixels. */
import type { Raster, Size } from '../raster.ts';
import { clamp } from './range.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the part of a raster inside a box, which has whole coordinates and lies within the raster. */
export function crop<C extends 1 | 3 | 4>({ width, channels, data }: Raster<C>, box: Box): Raster<C> {
  const out = new Uint8Array(box.width * box.height * channels);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.y + y) * width + box.x) * channels;
    out.set(data.subarray(from, from + box.width * channels), y * box.width * channels);
  }
  return { width: box.width, height: box.height, channels, data: out };
}

export function contains(box: Box, { x, y }: { x: number; y: number }): boolean {
  return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
}

/** Grows a box by a margin on each side. */
export function grown({ x, y, width, height }: Box, across: number, down = across): Box {
  return { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down };
}

/** Returns the smallest box that contains all boxes. */
export function boxAround(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Returns the whole pixels that a box touches within an image; at least one. */
export function within(box: Box, { width, height }: Size): Box {
  const [x, y] = [clamp(Math.floor(box.x), 0, width - 1), clamp(Math.floor(box.y), 0, height - 1)];
  const right = clamp(Math.ceil(box.x + box.width), x + 1, width);
  const bottom = clamp(Math.ceil(box.y + box.height), y + 1, height);
  return { x, y, width: right - x, height: bottom - y };
}

/** Returns the smallest box around the values above `least`, or null if there are none. */
export function boundsOf(values: Float32Array | Uint8Array, width: number, least: number): Box | null {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -1, -1];
  for (let i = 0; i < values.length; i++) {
    if (values[i]! <= least) continue;
    const x = i % width;
    const y = (i - x) / width;
    x0 = Math.min(x0, x);
    x1 = Math.max(x1, x);
    y0 = Math.min(y0, y);
    y1 = Math.max(y1, y);
  }
  return x1 < 0 ? null : { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 };
}

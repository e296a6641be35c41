/** A face's pixels as brightness and colour apart, and what was changed on them put back into the image. */
import type { Raster } from '../raster.ts';
import { toLuma, toRgb } from './luma.ts';
import type { Box } from './region.ts';
import { clamp, toByte } from '../pixels/range.ts';

export interface Planes {
  width: number;
  height: number;
  /** Brightness, 0–1. */
  y: Float32Array;
  /** Differences of colour, around 0. */
  cb: Float32Array;
  cr: Float32Array;
}

export function toPlanes({ data, width, height }: Raster): Planes {
  const count = width * height;
  const planes = {
    width,
    height,
    y: new Float32Array(count),
    cb: new Float32Array(count),
    cr: new Float32Array(count),
  };
  const colour = new Float64Array(3);
  for (let at = 0; at < count; at++) {
    for (let c = 0; c < 3; c++) colour[c] = data[at * 4 + c]! / 255;
    toLuma(colour);
    [planes.y[at], planes.cb[at], planes.cr[at]] = [colour[0]!, colour[1]!, colour[2]!];
  }
  return planes;
}

export function withBrightness(planes: Planes, change: (y: number, at: number) => number): Planes {
  return { ...planes, y: planes.y.map(change) };
}

/**
 * Adds to the box of an image, in place, what makes `after` different from `before`, as far as the mask (0–1) says.
 * They may be smaller than the box: what is finer in the image stays.
 */
export function addChange(
  data: Uint8Array,
  across: number,
  box: Box,
  before: Planes,
  after: Planes,
  mask: Float32Array,
) {
  const { width, height } = before;
  const change = [before.y, before.cb, before.cr].map((old, k) => {
    const fresh = [after.y, after.cb, after.cr][k]!;
    return fresh.map((value, at) => (value - old[at]!) * mask[at]!);
  });
  const colour = new Float64Array(3);
  for (let row = 0; row < box.height; row++) {
    const y = clamp(((row + 0.5) * height) / box.height - 0.5, 0, height - 1);
    for (let column = 0; column < box.width; column++) {
      const x = clamp(((column + 0.5) * width) / box.width - 0.5, 0, width - 1);
      if (mask[Math.round(y) * width + Math.round(x)] === 0) continue;
      for (let c = 0; c < 3; c++) colour[c] = between(change[c]!, width, height, x, y);
      toRgb(colour);
      const to = ((box.y + row) * across + box.x + column) * 4;
      for (let c = 0; c < 3; c++) data[to + c] = toByte(data[to + c]! + colour[c]! * 255);
    }
  }
}

function between(plane: Float32Array, width: number, height: number, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
  const [fx, fy] = [x - left, y - top];
  const above = plane[top * width + left]! * (1 - fx) + plane[top * width + right]! * fx;
  return above * (1 - fy) + (plane[bottom * width + left]! * (1 - fx) + plane[bottom * width + right]! * fx) * fy;
}

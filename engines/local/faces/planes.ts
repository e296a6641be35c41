/** Separates brightness and colour of a face, and adds changes back to the image. */
import type { Raster } from '../raster.ts';
import { toLuma, toRgb } from './luma.ts';
import type { Box } from '../pixels/box.ts';
import { enlargedRows } from '../pixels/plane.ts';
import { toByte } from '../pixels/range.ts';

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
 * Adds the difference between `after` and `before`, times the mask (0–1), to a box of an image, in place.
 * The planes may be smaller than the box; finer detail of the image stays.
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
  const changes = new Float32Array(width * height * 3);
  for (const [c, name] of (['y', 'cb', 'cr'] as const).entries()) {
    for (let i = 0; i < mask.length; i++) changes[i * 3 + c] = (after[name][i]! - before[name][i]!) * mask[i]!;
  }
  const row = enlargedRows({ width, height, channels: 3, data: changes }, box);
  for (let y = 0; y < box.height; y++) {
    const line = row(y);
    for (let x = 0, to = ((box.y + y) * across + box.x) * 4; x < box.width; x++, to += 4) {
      const change = line.subarray(x * 3, x * 3 + 3);
      toRgb(change);
      for (let c = 0; c < 3; c++) data[to + c] = toByte(data[to + c]! + change[c]! * 255);
    }
  }
}

/** Separates brightness and colour of a face, and adds changes back to the image. */
import type { Raster } from '../raster.ts';
import { lumaAt } from '../pixels/luma.ts';
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

/** Converts RGB of 0–1 to brightness and two differences of colour, in place. */
export function toLuma(colour: Float32Array | Float64Array): void {
  const [r, b] = [colour[0]!, colour[2]!];
  const y = lumaAt(colour, 0);
  colour[0] = y;
  colour[1] = (b - y) * 0.564;
  colour[2] = (r - y) * 0.713;
}

/** Reverts `toLuma`. */
export function toRgb(colour: Float32Array | Float64Array): void {
  const y = colour[0]!;
  const [r, b] = [y + colour[2]! / 0.713, y + colour[1]! / 0.564];
  colour[0] = r;
  colour[1] = (y - 0.299 * r - 0.114 * b) / 0.587;
  colour[2] = b;
}

export function toPlanes({ data, width, height }: Raster): Planes {
  const empty = () => new Float32Array(width * height);
  const planes = { width, height, y: empty(), cb: empty(), cr: empty() };
  const colour = new Float64Array(3);
  for (let at = 0; at < planes.y.length; at++) {
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
 * @param across the image's width in pixels
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

/** Turns a painted canvas into pixels of 8 bits. */
import { crop } from '../pixels/box.ts';
import { clamp, wrap } from '../pixels/range.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import type { Canvas } from './canvas.ts';
import { lattice } from './noise.ts';

/** Minimum of pixels beyond the edges that resizing reads. */
const border = 8;

/**
 * Rounds a canvas, with a little grain against banding, and brings it to a size.
 * @param tiles whether opposite edges meet, so that enlarging reads beyond one edge at the other
 */
export async function rasterOf(
  canvas: Canvas,
  size: { width: number; height: number },
  tiles: boolean,
): Promise<Raster<3 | 4>> {
  const same = size.width === canvas.width && size.height === canvas.height;
  const [x, y] = same ? [0, 0] : [padFor(canvas.width, size.width), padFor(canvas.height, size.height)];
  const rounded = padded(canvas, x, y, tiles);
  if (same) return rounded;
  const left = Math.round((x * size.width) / canvas.width);
  const top = Math.round((y * size.height) / canvas.height);
  const stretched = await resized(rounded, { width: size.width + 2 * left, height: size.height + 2 * top });
  return crop(stretched, { x: left, y: top, width: size.width, height: size.height });
}

/** Returns the pad that becomes most nearly whole pixels: a fraction would shift tiles against their edges. */
function padFor(from: number, to: number): number {
  const error = (pad: number) => Math.abs((pad * to) / from - Math.round((pad * to) / from));
  const pads = Array.from({ length: 4 * border }, (_, k) => border + k);
  return pads.reduce((best, pad) => (error(pad) < error(best) - 1e-6 ? pad : best));
}

function padded(canvas: Canvas, across: number, down: number, tiles: boolean): Raster<3 | 4> {
  const { rgb, alpha } = canvas;
  const channels = alpha ? 4 : 3;
  const [width, height] = [canvas.width + 2 * across, canvas.height + 2 * down];
  // Rounds and clamps what it is given.
  const data = new Uint8ClampedArray(width * height * channels);
  const place = (n: number, size: number) => (tiles ? wrap(n, size) : clamp(n, 0, size - 1));
  const columns = Int32Array.from({ length: width }, (_, x) => place(x - across, canvas.width));
  for (let y = 0, o = 0; y < height; y++) {
    const row = place(y - down, canvas.height) * canvas.width;
    for (let x = 0; x < width; x++, o += channels) {
      const i = row + columns[x]!;
      const grain = lattice(x, y, 77) - 0.5;
      data[o] = rgb[i * 3]! * 255 + grain;
      data[o + 1] = rgb[i * 3 + 1]! * 255 + grain;
      data[o + 2] = rgb[i * 3 + 2]! * 255 + grain;
      if (alpha) data[o + 3] = alpha[i]! * 255;
    }
  }
  return { width, height, channels, data: new Uint8Array(data.buffer) };
}

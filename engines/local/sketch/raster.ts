/** A painted canvas as pixels of 8 bits. */
import { crop } from '../pixels/box.ts';
import { clamp, toByte, wrap } from '../pixels/range.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import type { Canvas } from './canvas.ts';
import { lattice } from './noise.ts';

/** Pixels beyond the edges that enlarging looks at. */
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
  const pad = size.width === canvas.width && size.height === canvas.height ? 0 : border;
  const rounded = padded(canvas, pad, tiles);
  const [x, y] = [(pad * size.width) / canvas.width, (pad * size.height) / canvas.height].map(Math.round) as [
    number,
    number,
  ];
  const stretched = await resized(rounded, { width: size.width + 2 * x, height: size.height + 2 * y });
  return pad === 0 ? stretched : crop(stretched, { x, y, width: size.width, height: size.height });
}

function padded(canvas: Canvas, pad: number, tiles: boolean): Raster<3 | 4> {
  const { rgb, alpha } = canvas;
  const channels = alpha ? 4 : 3;
  const [width, height] = [canvas.width + 2 * pad, canvas.height + 2 * pad];
  const data = new Uint8Array(width * height * channels);
  const place = (n: number, size: number) => (tiles ? wrap(n, size) : clamp(n, 0, size - 1));
  const columns = Int32Array.from({ length: width }, (_, x) => place(x - pad, canvas.width));
  for (let y = 0, o = 0; y < height; y++) {
    const row = place(y - pad, canvas.height) * canvas.width;
    for (let x = 0; x < width; x++, o += channels) {
      const i = row + columns[x]!;
      const grain = lattice(x, y, 77) - 0.5;
      for (let c = 0; c < 3; c++) data[o + c] = toByte(rgb[i * 3 + c]! * 255 + grain);
      if (alpha) data[o + 3] = Math.round(alpha[i]! * 255);
    }
  }
  return { width, height, channels, data };
}

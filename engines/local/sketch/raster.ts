/** Converts a painted canvas to 8 bits per channel and to the size of the result. */
import { crop } from '../pixels/box.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import type { Canvas, Size } from './canvas.ts';
import { lattice } from './noise.ts';

/** Rounds a canvas and resizes it. `tiles` says whether the picture is seamless. */
export async function rasterOf(canvas: Canvas, size: Size, tiles: boolean): Promise<Raster<3 | 4>> {
  const { width, height, rgb, alpha } = canvas;
  const channels = alpha ? 4 : 3;
  // This array type rounds and clamps the values that it stores.
  const data = new Uint8ClampedArray(width * height * channels);
  for (let i = 0, o = 0; o < data.length; i++, o += channels) {
    // A little noise prevents bands of colour.
    const grain = lattice(i % width, Math.floor(i / width), 77) - 0.5;
    for (let c = 0; c < 3; c++) data[o + c] = rgb[i * 3 + c]! * 255 + grain;
    if (alpha) data[o + 3] = alpha[i]! * 255;
  }
  const rounded: Raster<3 | 4> = { width, height, channels, data: new Uint8Array(data.buffer) };
  return tiles ? resizedTile(rounded, size) : resized(rounded, size);
}

/** Resizes a tile so that its opposite edges still meet. */
async function resizedTile(tile: Raster<3 | 4>, size: Size): Promise<Raster<3 | 4>> {
  const { width, height, channels } = tile;
  const [across, down] = [width / size.width, height / size.height];
  if (across <= 1 && down <= 1) {
    const data = inOpenCv(({ cv, bytes, floats, empty }) => {
      const places = floats([across, 0, (across - 1) / 2, 0, down, (down - 1) / 2], 3, 2);
      const [from, to] = [bytes(tile.data, width, height, channels), empty()];
      const mode = cv.INTER_LANCZOS4 | cv.WARP_INVERSE_MAP;
      // Reads pixels beyond an edge from the opposite edge.
      cv.warpAffine(from, to, places, new cv.Size(size.width, size.height), mode, cv.BORDER_WRAP);
      return to.data.slice();
    });
    return { ...size, channels, data };
  }
  // A shrinking warp would skip pixels, so this resizes 3 × 3 copies of the tile and keeps the middle one.
  const repeated = inOpenCv(({ cv, bytes, empty }) => {
    const [from, to] = [bytes(tile.data, width, height, channels), empty()];
    cv.copyMakeBorder(from, to, height, height, width, width, cv.BORDER_WRAP);
    return to.data.slice();
  });
  const shrunk = await resized(
    { width: 3 * width, height: 3 * height, channels, data: repeated },
    { width: 3 * size.width, height: 3 * size.height },
  );
  return crop(shrunk, { ...size, x: size.width, y: size.height });
}

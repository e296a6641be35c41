/** An image in parts, each with some of what surrounds it. */
import type { Raster } from '../raster.ts';
import { reflect } from '../pixels/range.ts';

interface Tile {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Tiles of about one size, no longer than `side`. */
function* tiles({ width, height }: { width: number; height: number }, side: number): Generator<Tile> {
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  for (let row = 0; row < rows; row++) {
    const [y, bottom] = [Math.floor((row * height) / rows), Math.floor(((row + 1) * height) / rows)];
    for (let column = 0; column < columns; column++) {
      const [x, right] = [Math.floor((column * width) / columns), Math.floor(((column + 1) * width) / columns)];
      yield { x, y, width: right - x, height: bottom - y };
    }
  }
}

/**
 * Fills a raster, `scale` times as large as the source, with what `work` makes of each of the source's tiles.
 * @param side of a tile with its halo, in pixels of the source
 * @param halo how much of what surrounds a tile `work` gets to see; of its result that part is cut off
 */
export async function byTiles(
  source: Raster<3 | 4>,
  into: Raster<3 | 4>,
  { scale, side, halo }: { scale: number; side: number; halo: number },
  work: (part: Raster<3>) => Promise<Raster<3>>,
): Promise<void> {
  for (const tile of tiles(source, side - 2 * halo))
    paste(await work(cut(source, tile, halo)), tile, halo, scale, into);
}

/** RGB of a tile and of `halo` pixels around it. Beyond its edges the image is mirrored. */
function cut({ data, ...image }: Raster<3 | 4>, tile: Tile, halo: number): Raster<3> {
  const [width, height] = [tile.width + 2 * halo, tile.height + 2 * halo];
  const rgb = new Uint8Array(width * height * 3);
  const columns = Array.from({ length: width }, (_, x) => reflect(tile.x - halo + x, image.width) * image.channels);
  for (let row = 0, to = 0; row < height; row++) {
    const start = reflect(tile.y - halo + row, image.height) * image.width * image.channels;
    for (let column = 0; column < width; column++, to += 3) {
      const from = start + columns[column]!;
      rgb[to] = data[from]!;
      rgb[to + 1] = data[from + 1]!;
      rgb[to + 2] = data[from + 2]!;
    }
  }
  return { width, height, channels: 3, data: rgb };
}

/** Puts the tile's own part of a raster, which is `scale` times as large and has the halo around it, into a larger one. */
function paste(part: Raster<3>, tile: Tile, halo: number, scale: number, into: Raster<3 | 4>): void {
  const { channels, data } = into;
  for (let row = 0; row < tile.height * scale; row++) {
    let from = ((row + halo * scale) * part.width + halo * scale) * 3;
    let to = ((tile.y * scale + row) * into.width + tile.x * scale) * channels;
    for (let left = tile.width * scale; left > 0; left--, from += 3, to += channels) {
      data[to] = part.data[from]!;
      data[to + 1] = part.data[from + 1]!;
      data[to + 2] = part.data[from + 2]!;
    }
  }
}

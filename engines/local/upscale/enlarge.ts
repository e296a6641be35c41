/** Runs the networks on images of any size, tile by tile, so that memory stays bounded. */
import sharp from 'sharp';
import { alphaOf, opaque, withAlpha } from '../pixels/alpha.ts';
import { type Box, crop, grown, within } from '../pixels/box.ts';
import { bled } from '../pixels/reduced.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import { infer, type Network, scaleOf } from './networks.ts';

/** Pixels around a tile with which the networks give the same result as for the whole image, within 1/255. */
export const halo = 12;
/** Pixels along a tile with its halo: large enough that halos cost little, small enough for caches. */
const side = 256;

/** Returns the image 2 or 4 times as wide and high. */
export function enlarge<C extends 3 | 4>(raster: Raster<C>, network: Network): Promise<Raster<C>> {
  return byTiles(raster, { scale: scaleOf(network), side, halo }, (tile) => infer(network, tile));
}

export interface Tiling {
  scale: number;
  /** Pixels along a tile of the source with its halo. */
  side: number;
  /** Pixels around each tile that `work` also receives; they are cut off its result. */
  halo: number;
}

/**
 * Returns a raster `scale` times as large as the source, made by `work` from each of the source's tiles. Alpha is
 * enlarged separately, and transparent pixels do not stain edges.
 */
export async function byTiles<C extends 3 | 4>(
  raster: Raster<C>,
  { scale, side, halo }: Tiling,
  work: (tile: Raster<3>) => Promise<Raster<3>>,
): Promise<Raster<C>> {
  const source = raster.channels === 4 ? opaque(bled(raster as Raster<4>)) : (raster as Raster<3>);
  const [width, height] = [source.width * scale, source.height * scale];
  const larger = { width, height, channels: 3 as const, data: new Uint8Array(width * height * 3) };
  for (const [y, rows] of parts(source.height, side - 2 * halo)) {
    for (const [x, columns] of parts(source.width, side - 2 * halo)) {
      const made = await work(await surrounded(source, { x, y, width: columns, height: rows }, halo));
      const size = { width: columns * scale, height: rows * scale };
      const own = crop(made, { x: halo * scale, y: halo * scale, ...size });
      for (let row = 0; row < size.height; row++) {
        const line = own.data.subarray(row * size.width * 3, (row + 1) * size.width * 3);
        larger.data.set(line, ((y * scale + row) * width + x * scale) * 3);
      }
    }
  }
  if (raster.channels === 3) return larger as Raster<3> as Raster<C>;
  return withAlpha(larger, await resized(alphaOf(raster as Raster<4>), larger)) as Raster<C>;
}

/** Splits a length into parts of about the same size, at most `longest`; returns their starts and lengths. */
function parts(length: number, longest: number): [number, number][] {
  const count = Math.ceil(length / longest);
  const start = (k: number) => Math.floor((k * length) / count);
  return Array.from({ length: count }, (_, k) => [start(k), start(k + 1) - start(k)]);
}

/** Returns a tile with the pixels around it. Beyond its edges the image is mirrored. */
async function surrounded({ data, ...image }: Raster<3>, tile: Box, halo: number): Promise<Raster<3>> {
  const box = within(grown(tile, halo), image);
  const [left, top] = [box.x - tile.x + halo, box.y - tile.y + halo];
  const [width, height] = [tile.width + 2 * halo, tile.height + 2 * halo];
  const rest = { left, top, right: width - left - box.width, bottom: height - top - box.height };
  const around = await sharp(data, { raw: image })
    .extract({ left: box.x, top: box.y, width: box.width, height: box.height })
    .extend({ ...rest, extendWith: 'mirror' })
    .raw()
    .toBuffer();
  return { width, height, channels: 3, data: around };
}

/** Images of any size through the networks: tile by tile, so that memory stays bounded. */
import type { Raster } from '../raster.ts';
import { bleed, enlargeAlpha } from './alpha.ts';
import { infer } from './networks.ts';
import { byTiles } from './tiles.ts';
import { type Network, scaleOf } from './weights.ts';

/** With as much around a tile, its pixels come out as from the whole image, within 1/255. */
export const halo = 12;
/** Of a tile with its halo: large enough that halos cost little, small enough for caches. */
const side = 256;

/** The image 2 or 4 times as wide and high. Alpha is enlarged too; what is transparent does not stain edges. */
export async function enlarge<Channels extends 3 | 4>(
  raster: Raster<Channels>,
  network: Network,
): Promise<Raster<Channels>> {
  const scale = scaleOf(network);
  const { channels } = raster;
  const [width, height] = [raster.width * scale, raster.height * scale];
  const larger = { width, height, channels, data: new Uint8Array(width * height * channels) };
  const source = channels === 4 ? await bleed(raster as Raster<4>) : raster;
  await byTiles(source, larger, { scale, side, halo }, (part) => infer(network, part));
  if (channels === 4) await enlargeAlpha(raster as Raster<4>, larger as Raster<4>);
  return larger;
}

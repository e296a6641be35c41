/** Crisper detail, and more pixels if wanted: the network finds the edges between pixels, then contrast is raised there. */
import type { SharpenDetail } from '../../contract/index.ts';
import { decode, type Made, make, type Raster } from '../raster.ts';
import { withoutNeedlessAlpha } from '../pixels/alpha.ts';
import { bleed, enlargeAlpha } from './alpha.ts';
import { crispen, reach } from './crispen.ts';
import { halo } from './esrgan.ts';
import { refuseTooLarge } from './limits.ts';
import { infer } from './networks.ts';
import { noiseOf } from '../pixels/noise.ts';
import { byTiles } from './tiles.ts';
import { networkFor } from './upscale.ts';
import { scaleOf } from './weights.ts';
import { toByte } from '../pixels/range.ts';

/** Of a tile with its halo, in pixels of the input. Halos are wider here than for enlarging alone. */
const side = 320;

export async function sharpenDetail({ image, scale, detail, outputFormat }: SharpenDetail): Promise<Made> {
  refuseTooLarge(image, scale, outputFormat);
  return make(
    'local/esrgan-detail',
    await sharpen(withoutNeedlessAlpha(await decode(image)), scale, detail),
    outputFormat,
  );
}

export async function sharpen<Channels extends 3 | 4>(
  raster: Raster<Channels>,
  scale: 1 | 2 | 4,
  detail: number,
): Promise<Raster<Channels>> {
  const { channels } = raster;
  const [width, height] = [raster.width * scale, raster.height * scale];
  const sharper = { width, height, channels, data: new Uint8Array(width * height * channels) };
  // At its own size too, an image is worked on at twice the size: halos stay within its pixels there.
  const network = networkFor(raster, scale === 1 ? 2 : scale);
  const grain = scaleOf(network) / 2;
  const noise = noiseOf(raster);
  const source = channels === 4 ? await bleed(raster as Raster<4>) : raster;
  const seen = halo + Math.ceil((reach * grain) / scaleOf(network)) + 1;
  await byTiles(source, sharper, { scale, side, halo: seen }, async (part) => {
    const plain = await infer(network, part);
    const crisp = crispen(plain, grain, detail, noise);
    return scale === 1 ? withGain(part, plain, crisp) : crisp;
  });
  if (channels === 4) await enlargeAlpha(raster as Raster<4>, sharper as Raster<4>);
  return sharper;
}

/** Adds to an image what its enlargement, twice as large, has gained. */
function withGain({ width, height, data }: Raster<3>, plain: Raster<3>, crisp: Raster<3>): Raster<3> {
  const gained = new Uint8Array(data.length);
  const row = plain.width * 3;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++, to++) {
        const at = 2 * y * row + 6 * x + c;
        let gain = 0;
        for (const corner of [at, at + 3, at + row, at + row + 3]) gain += crisp.data[corner]! - plain.data[corner]!;
        gained[to] = toByte(data[to]! + gain / 4);
      }
    }
  }
  return { width, height, channels: 3, data: gained };
}

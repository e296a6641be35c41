/** Enlarges images with a network, and sharpens detail by raising the contrast of the enlarged image. */
import type { InputImage, SharpenDetail, Upscale } from '../../contract/index.ts';
import { withoutNeedlessAlpha } from '../pixels/alpha.ts';
import { noiseOf } from '../pixels/noise.ts';
import { toByte } from '../pixels/range.ts';
import { stretched } from '../pixels/resample.ts';
import { decode, type Made, make, type Raster, refuseResult, type Size } from '../raster.ts';
import { crispen, reach } from './crispen.ts';
import { byTiles, enlarge, halo } from './enlarge.ts';
import { infer, type Network, scaleOf } from './networks.ts';

/** Pixels of the largest image that `thick`, which takes some 25 times as long as `slim`, enlarges within 20 s. */
const mostForThick = 320 * 320;

/** Pixels along a tile with its halo. Halos are wider here than for enlarging alone. */
const side = 320;

export async function upscale({ image, scale, outputFormat }: Upscale): Promise<Made> {
  refuseResult(times(image, scale), outputFormat, image);
  const raster = withoutNeedlessAlpha(await decode(image));
  return make('local/esrgan', await enlarge<3 | 4>(raster, networkFor(raster, scale)), outputFormat);
}

export async function sharpenDetail({ image, scale, detail, outputFormat }: SharpenDetail): Promise<Made> {
  refuseResult(times(image, scale), outputFormat, image);
  const raster = withoutNeedlessAlpha(await decode(image));
  // An image that keeps its size is processed at twice its size: halos then stay within its pixels.
  const network = networkFor(raster, scale === 1 ? 2 : scale);
  const grain = scaleOf(network) / 2;
  const noise = noiseOf(raster);
  const seen = halo + Math.ceil((reach * grain) / scaleOf(network)) + 1;
  const sharper = await byTiles<3 | 4>(raster, { scale, side, halo: seen }, async (tile) => {
    const plain = await infer(network, tile);
    const crisp = crispen(plain, grain, detail, noise);
    return scale === 1 ? withGain(tile, plain, crisp) : crisp;
  });
  return make('local/esrgan-detail', sharper, outputFormat);
}

const times = ({ width, height }: InputImage, scale: number): Size => ({
  width: width * scale,
  height: height * scale,
});

/** Returns `thick` for a small image at ×4, where it gains a visible 1 dB; at ×2, it gains half of that. */
export function networkFor({ width, height }: Size, scale: 2 | 4): Network {
  if (scale === 2) return 'slim-2x';
  return width * height <= mostForThick ? 'thick-4x' : 'slim-4x';
}

/** Adds to an image the difference between two of its enlargements. */
function withGain(image: Raster<3>, plain: Raster<3>, crisp: Raster<3>): Raster<3> {
  const gains = Float32Array.from(crisp.data, (value, i) => value - plain.data[i]!);
  const gain = stretched(gains, 3, plain, image, 'area');
  return { ...image, data: image.data.map((value, i) => toByte(value + gain[i]!)) };
}

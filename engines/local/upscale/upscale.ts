/** Upscaling: more pixels, the same picture. */
import type { Upscale } from '../../contract/index.ts';
import { decode, type Made, make } from '../raster.ts';
import { withoutNeedlessAlpha } from '../pixels/alpha.ts';
import { enlarge } from './esrgan.ts';
import type { Network } from './weights.ts';
import { refuseTooLarge } from './limits.ts';

/** Of an image that `thick`, which takes some 25 times as long as `slim`, has done within 20 s. In pixels. */
const mostForThick = 320 * 320;

export async function upscale({ image, scale, outputFormat }: Upscale): Promise<Made> {
  refuseTooLarge(image, scale, outputFormat);
  const raster = withoutNeedlessAlpha(await decode(image));
  return make('local/esrgan', await enlarge(raster, networkFor(raster, scale)), outputFormat);
}

/** At ×4 `thick` gains 1 dB, which is well seen; at ×2 half of it, which is not. */
export function networkFor({ width, height }: { width: number; height: number }, scale: 2 | 4): Network {
  if (scale === 2) return 'slim-2x';
  return width * height <= mostForThick ? 'thick-4x' : 'slim-4x';
}

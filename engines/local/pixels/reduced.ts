/** Reduces a picture by averaging areas, and extends its colours into transparent parts. */
import { isOpaque } from './alpha.ts';
import { inOpenCv } from './opencv.ts';
import { stretched } from './resample.ts';
import { fitting } from './resize.ts';
import type { Raster } from '../raster.ts';

/** Reduces a picture whose longer side exceeds `longest`. Transparent pixels do not affect the colours around them. */
export function reduced(raster: Raster, longest: number): Raster {
  const { width, height } = fitting(raster, longest);
  if (width === raster.width && height === raster.height) return raster;
  const opaque = isOpaque(raster);
  const source = opaque ? raster.data : raster.data.map((value, i) => weighted(value, raster.data[i | 3]!, i));
  const data = inOpenCv(({ cv, bytes, empty }) => {
    const to = empty();
    const from = bytes(source, raster.width, raster.height, 4);
    cv.resize(from, to, new cv.Size(width, height), 0, 0, cv.INTER_AREA);
    return to.data.slice();
  });
  return {
    width,
    height,
    channels: 4,
    data: opaque ? data : data.map((value, i) => unweighted(value, data[i | 3]!, i)),
  };
}

const weighted = (value: number, alpha: number, i: number) => (i % 4 === 3 ? value : Math.round((value * alpha) / 255));

const unweighted = (value: number, alpha: number, i: number) =>
  i % 4 === 3 ? value : Math.min(255, Math.round((value * 255) / Math.max(1, alpha)));

/** Gives transparent pixels the colours around them, from coarse to fine, so that filters draw no stain across edges. */
export function bled(raster: Raster): Raster {
  const longest = Math.max(raster.width, raster.height);
  if (isOpaque(raster) || longest === 1) return raster;
  const coarse = bled(reduced(raster, Math.ceil(longest / 2)));
  const around = stretched(Float32Array.from(coarse.data), 4, coarse, raster, 'nearest');
  const data = raster.data.map((value, i) => {
    const share = raster.data[i | 3]! / 255;
    return i % 4 === 3 ? value : Math.round(value * share + around[i]! * (1 - share));
  });
  return { ...raster, data };
}

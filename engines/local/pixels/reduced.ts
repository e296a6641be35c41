/** Reduces a picture by averaging areas, so that its grain can be measured. */
import { isOpaque } from './alpha.ts';
import { inOpenCv } from './opencv.ts';
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

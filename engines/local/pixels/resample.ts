/** Interpolates values between pixels. */
import type { Raster, Size } from '../raster.ts';
import { inOpenCv } from './opencv.ts';
import type { Plane } from './plane.ts';

/** Stretches values that are interleaved by channel. Use `area`, which averages, for a much smaller size. */
export function stretched(
  values: Float32Array,
  channels: number,
  from: Size,
  { width, height }: Size,
  kernel: 'nearest' | 'linear' | 'cubic' | 'area' = 'linear',
): Float32Array {
  return inOpenCv(({ cv, floats, empty }) => {
    const kernels = { nearest: cv.INTER_NEAREST, linear: cv.INTER_LINEAR, cubic: cv.INTER_CUBIC, area: cv.INTER_AREA };
    const to = empty();
    const source = floats(values, from.width, from.height, channels);
    cv.resize(source, to, new cv.Size(width, height), 0, 0, kernels[kernel]);
    return to.data32F.slice();
  });
}

/** Stretches a plane bilinearly, for maps that are smooth. */
export function resizedPlane(from: Plane, width: number, height: number): Plane {
  if (from.width === width && from.height === height) return from;
  return { width, height, data: stretched(from.data, 1, from, { width, height }) };
}

/**
 * Reads a raster at positions between pixels, bicubically. Edge pixels continue beyond the edge.
 * @param x horizontal positions, in pixels from the left edge: 0.5 is the middle of the first pixel
 * @param width width of the result, which has one pixel per position
 * @returns colours of 0–255, interleaved; they may overshoot
 */
export function sampled({ data, ...size }: Raster, x: Float32Array, y: Float32Array, width: number): Float32Array {
  return inOpenCv(({ cv, floats, empty }) => {
    const height = x.length / width;
    const [across, down] = [x, y].map((places) =>
      floats(
        places.map((place) => place - 0.5),
        width,
        height,
      ),
    );
    const to = empty();
    cv.remap(floats(data, size.width, size.height, 4), to, across!, down!, cv.INTER_CUBIC, cv.BORDER_REPLICATE);
    return to.data32F.slice();
  });
}

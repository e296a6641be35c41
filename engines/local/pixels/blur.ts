/** Blurs values that are interleaved by channel. By default, edge values continue beyond the edge. */
import { inOpenCv, type Mat, type OpenCv } from './opencv.ts';
import { type Plane, plane } from './plane.ts';

type Filter = (cv: OpenCv, mat: Mat) => void;

function filtered(values: Float32Array, width: number, height: number, channels: number, filter: Filter) {
  return inOpenCv(({ cv, floats }) => {
    const mat = floats(values, width, height, channels);
    filter(cv, mat);
    return mat.data32F.slice();
  });
}

const boxes =
  (radius: number, rounds: number, beyond: 'edge' | 'zero' = 'edge'): Filter =>
  (cv, mat) => {
    const size = new cv.Size(2 * radius + 1, 2 * radius + 1);
    const border = beyond === 'edge' ? cv.BORDER_REPLICATE : cv.BORDER_CONSTANT;
    for (let round = 0; round < rounds; round++) cv.blur(mat, mat, size, new cv.Point(-1, -1), border);
  };

/** Approximates a Gaussian blur with the standard deviation `sigma` by two box blurs. */
export function blur(values: Float32Array, width: number, height: number, channels: number, sigma: number) {
  return filtered(values, width, height, channels, boxes(Math.max(1, Math.round(sigma * 0.97)), 2));
}

/** Returns the means over squares with a side of `2 * radius + 1`; three rounds nearly give a Gaussian blur. */
export function boxBlur(values: Float32Array, width: number, height: number, radius: number, rounds = 1, channels = 1) {
  return filtered(values, width, height, channels, boxes(radius, rounds));
}

/** Blurs like `boxBlur`, but with zeros beyond the edges in every round. */
export function boxBlurInZeros(values: Float32Array, width: number, height: number, radius: number, rounds: number) {
  return filtered(values, width, height, 1, boxes(radius, rounds, 'zero'));
}

/** Blurs a plane like `boxBlur`. */
export function boxMean({ width, height, data }: Plane, radius: number, rounds = 1): Plane {
  return plane(width, height, boxBlur(data, width, height, radius, rounds));
}

/** Applies an exact Gaussian blur; use it for a small `sigma`. */
export function gaussian(values: Float32Array, width: number, height: number, sigma: number) {
  return filtered(values, width, height, 1, (cv, mat) =>
    cv.GaussianBlur(mat, mat, new cv.Size(0, 0), sigma, sigma, cv.BORDER_REPLICATE),
  );
}

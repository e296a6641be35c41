/** Guided filters (He, Sun and Tang): they smooth or enlarge a map along the edges of an image. */
import type { Raster } from '../raster.ts';
import { enlargedRows, type Plane } from './plane.ts';
import { clamp } from './range.ts';
import { boxBlur } from './blur.ts';

/**
 * Removes variations that are smaller than `strength` and keeps larger ones; the plane is its own guide.
 * @param strength standard deviation, in the unit of the plane
 */
export function smoothed({ width, height, data }: Plane, radius: number, strength: number): Float32Array {
  const mean = (values: Float32Array) => boxBlur(values, width, height, radius);
  const own = mean(data);
  const squares = mean(data.map((value) => value * value));
  const slope = squares.map((square, i) => {
    const variance = Math.max(0, square - own[i]! ** 2);
    return variance / (variance + strength * strength);
  });
  const [slopes, offsets] = [mean(slope), mean(slope.map((value, i) => own[i]! * (1 - value)))];
  return data.map((value, i) => value * slopes[i]! + offsets[i]!);
}

/**
 * Enlarges a map along the edges of the full image.
 * @param small the image at the map's size
 * @param full the image at the wanted size
 * @param flat variance below which an area counts as flat, for colours of 0–1
 */
export function guided(map: Plane, small: Raster<3>, full: Raster<3 | 4>, radius: number, flat: number): Raster<1> {
  const row = enlargedRows({ ...small, channels: 4, data: colourLines(map, small, radius, flat) }, full);
  const { width, height, channels, data } = full;
  const out = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const line = row(y);
    for (let x = 0; x < width; x++, i++) {
      let value = line[x * 4 + 3]!;
      for (let c = 0; c < 3; c++) value += (line[x * 4 + c]! * data[i * channels + c]!) / 255;
      out[i] = Math.round(255 * clamp(value));
    }
  }
  return { width, height, channels: 1, data: out };
}

/** The products whose means give variances of red (0), green (1), blue (2) and their covariances with the map (3). */
const products = ['00', '01', '02', '11', '12', '22', '03', '13', '23'].map((pair) => [
  Number(pair[0]),
  Number(pair[1]),
]);
const terms = 4 + products.length;

/** Returns the factors of red, green and blue and an offset for each pixel, interleaved. */
function colourLines(map: Plane, { width, height, data }: Raster<3>, radius: number, flat: number): Float32Array {
  const values = new Float32Array(width * height * terms);
  for (let at = 0, i = 0; at < values.length; at += terms, i++) {
    for (let c = 0; c < 3; c++) values[at + c] = data[i * 3 + c]! / 255;
    values[at + 3] = map.data[i]!;
    for (let k = 4; k < terms; k++) {
      const pair = products[k - 4]!;
      values[at + k] = values[at + pair[0]!]! * values[at + pair[1]!]!;
    }
  }
  const means = boxBlur(values, width, height, radius, 1, terms);
  const lines = new Float32Array(width * height * 4);
  for (let at = 0, i = 0; at < means.length; at += terms, i += 4) {
    const [r, g, b, value] = [means[at]!, means[at + 1]!, means[at + 2]!, means[at + 3]!];
    const [rr, rg, rb] = [means[at + 4]! - r * r + flat, means[at + 5]! - r * g, means[at + 6]! - r * b];
    const [gg, gb, bb] = [means[at + 7]! - g * g + flat, means[at + 8]! - g * b, means[at + 9]! - b * b + flat];
    const [x, y, z] = [means[at + 10]! - r * value, means[at + 11]! - g * value, means[at + 12]! - b * value];
    // The inverse of the symmetric matrix of variances, times x, y and z.
    const [p, q, s] = [gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg];
    const [t, u, v] = [rr * bb - rb * rb, rg * rb - rr * gb, rr * gg - rg * rg];
    const all = rr * p + rg * q + rb * s;
    lines[i] = (p * x + q * y + s * z) / all;
    lines[i + 1] = (q * x + t * y + u * z) / all;
    lines[i + 2] = (s * x + u * y + v * z) / all;
    lines[i + 3] = value - lines[i]! * r - lines[i + 1]! * g - lines[i + 2]! * b;
  }
  return boxBlur(lines, width, height, radius, 1, 4);
}

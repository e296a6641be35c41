/** Separates foreground and background colours: multi-level foreground estimation (Germer et al. 2020). */
import type { Raster } from '../raster.ts';
import { clamp } from '../pixels/range.ts';
import { fractions } from '../pixels/plane.ts';
import { stretched } from '../pixels/resample.ts';

/** RGB of 0–1, interleaved. */
export interface Layers {
  front: Float32Array;
  back: Float32Array;
}

/** Weight of smoothness where alpha is constant. */
const smoothness = 1e-5;

/** Solves from coarse to fine; each level starts from the result of the previous one. */
export function layers(image: Raster<3>, alpha: Raster<1>): Layers {
  const levels = Math.ceil(Math.log2(Math.max(image.width, image.height)));
  const colours = fractions(image.data);
  const shares = fractions(alpha.data);
  let size = { width: 1, height: 1 };
  let found: Layers = { front: meanWhere(image, alpha, 230, 255), back: meanWhere(image, alpha, 0, 25) };
  for (let level = 1; level <= levels; level++) {
    const coarse = size;
    const [width, height] = [Math.round(image.width ** (level / levels)), Math.round(image.height ** (level / levels))];
    size = { width, height };
    const finer = (values: Float32Array) => stretched(values, 3, coarse, size, 'nearest');
    found = { front: finer(found.front), back: finer(found.back) };
    const picture = stretched(colours, 3, image, size, 'nearest');
    const parts = stretched(shares, 1, image, size, 'nearest');
    const rounds = Math.max(width, height) <= 32 ? 10 : 2;
    for (let round = 0; round < rounds; round++) settle(found, picture, parts, width, height);
  }
  return found;
}

function settle({ front, back }: Layers, picture: Float32Array, alpha: Float32Array, width: number, height: number) {
  const neighbours = new Int32Array(4);
  const weights = new Float64Array(4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      neighbours[0] = x > 0 ? i - 1 : i;
      neighbours[1] = x < width - 1 ? i + 1 : i;
      neighbours[2] = y > 0 ? i - width : i;
      neighbours[3] = y < height - 1 ? i + width : i;
      const a = alpha[i]!;
      let sum = 0;
      for (let n = 0; n < 4; n++) sum += weights[n] = smoothness + Math.abs(a - alpha[neighbours[n]!]!);
      const aa = a * a + sum;
      const ab = a * (1 - a);
      const bb = (1 - a) * (1 - a) + sum;
      const determinant = aa * bb - ab * ab;
      for (let c = 0; c < 3; c++) {
        let f = a * picture[i * 3 + c]!;
        let b = (1 - a) * picture[i * 3 + c]!;
        for (let n = 0; n < 4; n++) {
          f += weights[n]! * front[neighbours[n]! * 3 + c]!;
          b += weights[n]! * back[neighbours[n]! * 3 + c]!;
        }
        front[i * 3 + c] = clamp((bb * f - ab * b) / determinant);
        back[i * 3 + c] = clamp((aa * b - ab * f) / determinant);
      }
    }
  }
}

function meanWhere({ data }: Raster<3>, alpha: Raster<1>, least: number, most: number): Float32Array {
  const mean = new Float64Array(3);
  let count = 0;
  for (let i = 0; i < alpha.data.length; i++) {
    if (alpha.data[i]! < least || alpha.data[i]! > most) continue;
    count++;
    for (let c = 0; c < 3; c++) mean[c]! += data[i * 3 + c]! / 255;
  }
  return new Float32Array(mean.map((value) => value / Math.max(1, count)));
}

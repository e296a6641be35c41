/** Separates foreground and background colours: multi-level foreground estimation (Germer et al. 2020). */
import type { Raster } from '../raster.ts';
import { clamp } from '../pixels/range.ts';
import { inOpenCv } from '../pixels/opencv.ts';

/** RGB of 0–1, interleaved. */
export interface Layers {
  front: Float32Array;
  back: Float32Array;
}

/** Weight of smoothness where alpha is constant. */
const smoothness = 1e-5;

/** Solves from coarse to fine; each level starts from the result of the previous one. */
export function layers(image: Raster<3>, alpha: Raster<1>): Layers {
  const { width, height } = image;
  const levels = Math.ceil(Math.log2(Math.max(width, height)));
  const colours = Float32Array.from(image.data, (value) => value / 255);
  const shares = Float32Array.from(alpha.data, (value) => value / 255);
  let [w, h] = [1, 1];
  let found: Layers = { front: meanWhere(image, alpha, 230, 255), back: meanWhere(image, alpha, 0, 25) };
  for (let level = 1; level <= levels; level++) {
    const [nextW, nextH] = [Math.round(width ** (level / levels)), Math.round(height ** (level / levels))];
    found = { front: nearest(found.front, 3, w, h, nextW, nextH), back: nearest(found.back, 3, w, h, nextW, nextH) };
    [w, h] = [nextW, nextH];
    const picture = nearest(colours, 3, width, height, w, h);
    const parts = nearest(shares, 1, width, height, w, h);
    const rounds = w <= 32 && h <= 32 ? 10 : 2;
    for (let round = 0; round < rounds; round++) settle(found, picture, parts, w, h);
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
  return Float32Array.from(mean, (value) => value / Math.max(1, count));
}

function nearest(values: Float32Array, channels: number, width: number, height: number, w: number, h: number) {
  return inOpenCv(({ cv, floats, empty }) => {
    const to = empty();
    cv.resize(floats(values, width, height, channels), to, new cv.Size(w, h), 0, 0, cv.INTER_NEAREST);
    return to.data32F.slice();
  });
}

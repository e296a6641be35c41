/** The matting Laplacian of Levin et al.: the error of an alpha that should be linear in colour within each 3 × 3 window. */
import type { Raster } from '../raster.ts';
import { inverse } from '../pixels/guided.ts';

/** Windows that touch an unknown pixel, each with the mean and the inverse covariance of its colours. */
export interface Windows {
  readonly centers: Int32Array;
  /** Three means, six entries of the symmetric inverse: nine a window. */
  readonly shapes: Float64Array;
  /** Offsets of the nine pixels from the centre. */
  readonly around: readonly number[];
  readonly colours: Float32Array;
}

/** Variance below which colours count as equal. */
const flat = 1e-5;

export function windowsOf({ width, height, data }: Raster<3>, unknown: Uint8Array): Windows {
  const around = [-width - 1, -width, -width + 1, -1, 0, 1, width - 1, width, width + 1];
  const colours = new Float32Array(data.length);
  for (let i = 0; i < data.length; i++) colours[i] = data[i]! / 255;
  const touched = new Uint8Array(unknown.length);
  let count = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!unknown[y * width + x]) continue;
      for (let cy = Math.max(1, y - 1); cy <= Math.min(height - 2, y + 1); cy++) {
        for (let cx = Math.max(1, x - 1); cx <= Math.min(width - 2, x + 1); cx++) {
          const center = cy * width + cx;
          if (touched[center]) continue;
          touched[center] = 1;
          count++;
        }
      }
    }
  }
  const centers = new Int32Array(count);
  const shapes = new Float64Array(count * 9);
  for (let i = 0, k = 0; k < count; i++) {
    if (!touched[i]) continue;
    centers[k] = i;
    shapes.set(shapeOf(colours, around, i), k * 9);
    k++;
  }
  return { centers, shapes, around, colours };
}

function shapeOf(colours: Float32Array, around: readonly number[], center: number): number[] {
  let r = 0;
  let g = 0;
  let b = 0;
  let rr = flat;
  let rg = 0;
  let rb = 0;
  let gg = flat;
  let gb = 0;
  let bb = flat;
  for (let n = 0; n < 9; n++) {
    const at = (center + around[n]!) * 3;
    const red = colours[at]!;
    const green = colours[at + 1]!;
    const blue = colours[at + 2]!;
    r += red / 9;
    g += green / 9;
    b += blue / 9;
    rr += (red * red) / 9;
    rg += (red * green) / 9;
    rb += (red * blue) / 9;
    gg += (green * green) / 9;
    gb += (green * blue) / 9;
    bb += (blue * blue) / 9;
  }
  return [r, g, b, ...inverse(rr - r * r, rg - r * g, rb - r * b, gg - g * g, gb - g * b, bb - b * b)];
}

/** Adds the Laplacian times `alpha` to `out`. */
export function apply({ centers, shapes, around, colours }: Windows, alpha: Float64Array, out: Float64Array): void {
  for (let k = 0; k < centers.length; k++) {
    const center = centers[k]!;
    const s = k * 9;
    let mean = 0;
    let r = 0;
    let g = 0;
    let b = 0;
    for (let n = 0; n < 9; n++) {
      const i = center + around[n]!;
      const value = alpha[i]! / 9;
      mean += value;
      r += value * colours[i * 3]!;
      g += value * colours[i * 3 + 1]!;
      b += value * colours[i * 3 + 2]!;
    }
    r -= mean * shapes[s]!;
    g -= mean * shapes[s + 1]!;
    b -= mean * shapes[s + 2]!;
    const red = shapes[s + 3]! * r + shapes[s + 4]! * g + shapes[s + 5]! * b;
    const green = shapes[s + 4]! * r + shapes[s + 6]! * g + shapes[s + 7]! * b;
    const blue = shapes[s + 5]! * r + shapes[s + 7]! * g + shapes[s + 8]! * b;
    const offset = mean - red * shapes[s]! - green * shapes[s + 1]! - blue * shapes[s + 2]!;
    for (let n = 0; n < 9; n++) {
      const i = center + around[n]!;
      out[i]! += alpha[i]! - red * colours[i * 3]! - green * colours[i * 3 + 1]! - blue * colours[i * 3 + 2]! - offset;
    }
  }
}

/** Adds the diagonal of the Laplacian to `out`. */
export function diagonal({ centers, shapes, around, colours }: Windows, out: Float64Array): void {
  for (let k = 0; k < centers.length; k++) {
    const s = k * 9;
    for (let n = 0; n < 9; n++) {
      const i = centers[k]! + around[n]!;
      const r = colours[i * 3]! - shapes[s]!;
      const g = colours[i * 3 + 1]! - shapes[s + 1]!;
      const b = colours[i * 3 + 2]! - shapes[s + 2]!;
      const own =
        r * (shapes[s + 3]! * r + 2 * shapes[s + 4]! * g + 2 * shapes[s + 5]! * b) +
        g * (shapes[s + 6]! * g + 2 * shapes[s + 7]! * b) +
        shapes[s + 8]! * b * b;
      out[i]! += 1 - (1 + own) / 9;
    }
  }
}

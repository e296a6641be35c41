/** A picture while it is dressed: its transparent pixels get colours, so that filters do not spread wrong ones. */
import type { Raster } from '../raster.ts';
import { blur } from '../pixels/blur.ts';
import { lattice } from '../sketch/noise.ts';
import { type Cube, lookUp } from '../pixels/cube.ts';
import { viewSize } from './view.ts';
import { toByte } from '../pixels/range.ts';

export interface Surface {
  readonly width: number;
  readonly height: number;
  /** sRGB 0–255, interleaved; may overshoot. */
  readonly rgb: Float32Array;
  /** Scale relative to the size at which styles are measured. */
  readonly unit: number;
}

export function surfaceOf(raster: Raster): Surface {
  const { width, height, data } = raster;
  const unit = Math.max(1, Math.max(width, height) / viewSize);
  const rgb = new Float32Array(width * height * 3);
  let holes = false;
  for (let i = 0; i < width * height; i++) {
    // Half a step of noise, because a style with more contrast would turn the 8-bit steps of a sky into bands.
    const noise = lattice(i % width, Math.floor(i / width), 31) - 0.5;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = data[i * 4 + c]! + noise;
    holes ||= data[i * 4 + 3] !== 255;
  }
  if (holes) fill(rgb, raster, 6 * unit);
  return { width, height, rgb, unit };
}

/** Spreads the colours of visible pixels into transparent ones. */
function fill(rgb: Float32Array, { width, height, data }: Raster, sigma: number): void {
  const seen = new Float32Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const alpha = data[i * 4 + 3]! / 255;
    for (let c = 0; c < 3; c++) seen[i * 4 + c] = rgb[i * 3 + c]! * alpha;
    seen[i * 4 + 3] = alpha;
  }
  const soft = blur(seen, width, height, 4, sigma);
  for (let i = 0; i < width * height; i++) {
    const [alpha, around] = [seen[i * 4 + 3]!, soft[i * 4 + 3]!];
    if (alpha === 1 || around < 1e-4) continue;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c]! += (soft[i * 4 + c]! / around - rgb[i * 3 + c]!) * (1 - alpha);
  }
}

/** Applies a colour table, and rounds with a trace of noise against bands. Keeps the picture's alpha. */
export function rasterOf({ width, height, rgb }: Surface, table: Cube, { data: old }: Raster): Raster {
  const data = new Uint8Array(old);
  const colour = new Float32Array(3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      lookUp(table, rgb, i * 3, colour);
      const noise = lattice(x, y, 77) - 0.5;
      for (let c = 0; c < 3; c++) data[i * 4 + c] = toByte(colour[c]! + noise);
    }
  return { width, height, channels: 4, data };
}

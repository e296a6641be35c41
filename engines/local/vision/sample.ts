/** Cuts squares out of an image, turned and resized for the models. */
import type { Raster } from '../raster.ts';
import { clamp } from '../pixels/range.ts';

/** A constant, because looking up a property is slow in loops over pixels. */
const { floor } = Math;

/** A square of an image, in its pixels, turned clockwise by `angle` radians. */
export interface Square {
  x: number;
  y: number;
  size: number;
  angle: number;
}

/** Returns the image's pixel for a place inside the square, 0–1 in both directions. */
export function place({ x, y, size, angle }: Square, u: number, v: number): [number, number] {
  const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size];
  return [x + (u - 0.5) * cos - (v - 0.5) * sin, y + (u - 0.5) * sin + (v - 0.5) * cos];
}

/**
 * Returns RGB of the square at `side` × `side`, each value times `scale` plus `offset`.
 * Places outside the image are black; transparent pixels are laid over gray.
 */
export function sample(
  image: Raster<3 | 4>,
  square: Square,
  side: number,
  { scale, offset }: { scale: number; offset: number },
): Float32Array {
  // Samples in each direction whose mean makes a pixel; the models do not profit from more than six.
  const dense = clamp(Math.round(square.size / side), 1, 6);
  const fine = side * dense;
  const out = new Float32Array(side * side * 3).fill(offset);
  const [x0, y0] = place(square, 0.5 / fine, 0.5 / fine);
  const dx = (Math.cos(square.angle) * square.size) / fine;
  const dy = (Math.sin(square.angle) * square.size) / fine;
  const each = scale / (dense * dense);
  const { width, height, channels, data } = image;
  for (let row = 0; row < fine; row++) {
    const line = floor(row / dense) * side;
    for (let column = 0; column < fine; column++) {
      const x = x0 + column * dx - row * dy - 0.5;
      const y = y0 + column * dy + row * dx - 0.5;
      const left = floor(x);
      const top = floor(y);
      if (left < -1 || top < -1 || left >= width || top >= height) continue;
      const to = (line + floor(column / dense)) * 3;
      for (let k = 0; k < 4; k++) {
        const px = left + (k & 1);
        const py = top + (k >> 1);
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        const at = (py * width + px) * channels;
        const alpha = channels === 4 ? data[at + 3]! / 255 : 1;
        const weight = each * (k & 1 ? x - left : 1 - x + left) * (k & 2 ? y - top : 1 - y + top);
        const gray = 127 * (1 - alpha) * weight;
        out[to]! += weight * alpha * data[at]! + gray;
        out[to + 1]! += weight * alpha * data[at + 1]! + gray;
        out[to + 2]! += weight * alpha * data[at + 2]! + gray;
      }
    }
  }
  return out;
}

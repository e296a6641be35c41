/** Cuts squares out of an image, turned and resized for the models. */
import { crop, within } from '../pixels/box.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { clamp } from '../pixels/range.ts';
import type { Raster } from '../raster.ts';

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
 * Returns RGB of the square at `side` × `side`, each value of 0–255 times `scale` plus `offset`.
 * Places outside the image are black; transparent pixels are laid over gray.
 */
export function sample(image: Raster<3 | 4>, square: Square, side: number, scale = 1, offset = 0): Float32Array {
  const { x, y, size } = square;
  const box = within({ x: x - size, y: y - size, width: 2 * size, height: 2 * size }, image);
  const { width, height, channels, data } = crop(image, box);
  // The square's side in samples. Their mean makes a pixel; more than six in each direction do not help the models.
  const fine = side * clamp(Math.round(size / side), 1, 6);
  const [cos, sin] = [(Math.cos(square.angle) * size) / fine, (Math.sin(square.angle) * size) / fine];
  const [left, top] = place(square, 0.5 / fine, 0.5 / fine);
  const pixels = inOpenCv(({ cv, bytes, floats, empty }) => {
    const [turned, small] = [empty(), empty()];
    const places = floats([cos, -sin, left - box.x - 0.5, sin, cos, top - box.y - 0.5], 3, 2);
    const [from, mode] = [bytes(data, width, height, channels), cv.INTER_LINEAR | cv.WARP_INVERSE_MAP];
    const [to, black] = [new cv.Size(fine, fine), new cv.Scalar(0, 0, 0, 255)];
    cv.warpAffine(from, turned, places, to, mode, cv.BORDER_CONSTANT, black);
    cv.resize(turned, small, new cv.Size(side, side), 0, 0, cv.INTER_AREA);
    return small.data.slice();
  });
  return new Float32Array(side * side * 3).map((_, i) => {
    const at = Math.floor(i / 3) * channels;
    const alpha = channels === 4 ? pixels[at + 3]! / 255 : 1;
    return (pixels[at + (i % 3)]! * alpha + 127 * (1 - alpha)) * scale + offset;
  });
}

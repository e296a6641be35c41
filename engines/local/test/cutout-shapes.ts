/** Pictures whose true mask is known: drawn shapes on textured and graded backgrounds, and how near a mask comes. */
import { encode, type Raster } from '../raster.ts';
import type { InputImage } from '../../contract/index.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { atan2, cos, floor, hypot, max, min, round } = Math;

type Colour = readonly [number, number, number];
type Paint = (x: number, y: number) => Colour;

/** Returns how far inside the shape a point lies, in pixels; negative outside. */
export type Shape = (x: number, y: number) => number;

export const disc =
  (cx: number, cy: number, radius: number): Shape =>
  (x, y) =>
    radius - hypot(x - cx, y - cy);

export const box =
  (left: number, top: number, right: number, bottom: number): Shape =>
  (x, y) =>
    min(x - left, right - x, y - top, bottom - y);

/** A circle whose radius swings `lobes` times, by the share `depth`. */
export const blob =
  (cx: number, cy: number, radius: number, lobes: number, depth: number): Shape =>
  (x, y) => {
    const angle = atan2(y - cy, x - cx);
    return radius * (1 + depth * cos(lobes * angle)) - hypot(x - cx, y - cy);
  };

export const plain =
  (colour: Colour): Paint =>
  () =>
    colour;

export const graded =
  (from: Colour, to: Colour, size: number): Paint =>
  (x, y) => {
    const part = (x + y) / (2 * size);
    return [0, 1, 2].map((c) => from[c]! * (1 - part) + to[c]! * part) as unknown as Colour;
  };

/** Noise of two grains. */
export function textured(colour: Colour, amount: number, size: number, seed = 1): Paint {
  const fine = new Float32Array(size * size);
  let state = seed;
  for (let i = 0; i < fine.length; i++) {
    state = (state * 48271) % 2147483647;
    fine[i] = state / 2147483647 - 0.5;
  }
  return (x, y) => {
    const coarse = fine[floor(y / 7) * size + floor(x / 7)]!;
    const value = amount * (fine[floor(y) * size + floor(x)]! + coarse);
    return [colour[0] + value, colour[1] + value, colour[2] + value];
  };
}

export interface Drawn {
  image: InputImage;
  pixels: Raster<3>;
  /** The true mask, 0–255. */
  truth: Uint8Array;
}

/** One shape over a background, its edge smoothed over one pixel. */
export async function drawn(size: number, shape: Shape, front: Paint, back: Paint): Promise<Drawn> {
  const data = new Uint8Array(size * size * 3);
  const truth = new Uint8Array(size * size);
  for (let i = 0; i < truth.length; i++) {
    const [x, y] = [(i % size) + 0.5, floor(i / size) + 0.5];
    const part = min(1, max(0, shape(x, y) + 0.5));
    const [over, under] = [front(x, y), back(x, y)];
    for (let c = 0; c < 3; c++) data[i * 3 + c] = min(255, max(0, over[c]! * part + under[c]! * (1 - part)));
    truth[i] = round(255 * part);
  }
  const pixels: Raster<3> = { width: size, height: size, channels: 3, data };
  return { image: await input(pixels), pixels, truth };
}

export async function input(raster: Raster<3 | 4>): Promise<InputImage> {
  const { width, height } = raster;
  return { bytes: await encode(raster, 'png'), contentType: 'image/png', width, height };
}

/** Intersection over union, of masks of 0–255. */
export function overlap(a: Uint8Array, b: Uint8Array): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    both += min(a[i]!, b[i]!);
    either += max(a[i]!, b[i]!);
  }
  return both / either;
}

/** One channel of four. */
export function channel({ data }: Raster, c: number): Uint8Array {
  return data.filter((_, i) => i % 4 === c);
}

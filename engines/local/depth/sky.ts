/** What is behind everything: sky, or a plain wall, that comes down from the upper edge. */
import { boxMean } from '../pixels/blur.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { clamp } from '../pixels/range.ts';
import { luma } from '../pixels/luma.ts';

/** Of colours in levels of 255: how much a step may change, and how far the way may lead from where it began. */
const step = 7;
const drift = 70;

/** 1 in the sky, 0 elsewhere, with a soft edge. */
export function skyOf({ width, height, data }: Raster<3>): Plane {
  const apart = (i: number, j: number) =>
    Math.max(
      Math.abs(data[i * 3]! - data[j * 3]!),
      Math.abs(data[i * 3 + 1]! - data[j * 3 + 1]!),
      Math.abs(data[i * 3 + 2]! - data[j * 3 + 2]!),
    );
  const origin = new Int32Array(width * height).fill(-1);
  const queue: number[] = [];
  const reach = (i: number, from: number, start: number) => {
    if (origin[i]! >= 0 || apart(i, from) > step || apart(i, start) > drift) return;
    origin[i] = start;
    queue.push(i);
  };
  for (let x = 1; x < width - 1; x++) if (apart(x, x - 1) <= step && apart(x, x + width) <= step) reach(x, x, x);
  for (let at = 0; at < queue.length; at++) {
    const i = queue[at]!;
    const start = origin[i]!;
    const x = i % width;
    if (x > 0) reach(i - 1, i, start);
    if (x < width - 1) reach(i + 1, i, start);
    if (i + width < width * height) reach(i + width, i, start);
    if (i >= width) reach(i - width, i, start);
  }
  const found = plane(width, height);
  for (let i = 0; i < origin.length; i++) if (origin[i]! >= 0) found.data[i] = likeness(data, i * 3);
  return limited(boxMean(found, 1), width, height);
}

/** Sky and backdrops are bright or cold; what is dark and warm is wood, earth or skin. 0–1. */
function likeness(data: Uint8Array, at: number): number {
  const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
  const bright = (luma(red, green, blue) - 110) / 50;
  const cold = (blue - red + 24) / 16;
  return Math.min(1, Math.max(0, bright, cold));
}

/** A smooth way may lead over a wall to the floor: what lies low is ground, whatever its colour. */
function limited(found: Plane, width: number, height: number): Plane {
  for (let y = 0; y < height; y++) {
    const allowed = clamp((0.85 - y / height) / 0.25);
    for (let i = y * width; i < (y + 1) * width; i++) found.data[i]! *= allowed;
  }
  return found;
}

/** Finds the sky, or a plain backdrop, that reaches down from the upper edge. */
import { boxMean } from '../pixels/blur.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { clamp } from '../pixels/range.ts';
import { luma } from '../pixels/luma.ts';
import { flood } from '../pixels/flood.ts';

/** Limits in levels of 255: the change of colour in one step, and from the start of the path. */
const step = 7;
const drift = 70;

/** Returns 1 in the sky and 0 elsewhere, with a soft edge. */
export function skyOf({ width, height, data }: Raster<3>): Plane {
  const apart = (i: number, j: number) =>
    Math.max(
      Math.abs(data[i * 3]! - data[j * 3]!),
      Math.abs(data[i * 3 + 1]! - data[j * 3 + 1]!),
      Math.abs(data[i * 3 + 2]! - data[j * 3 + 2]!),
    );
  const even = Array.from({ length: width - 2 }, (_, k) => k + 1).filter(
    (x) => apart(x, x - 1) <= step && apart(x, x + width) <= step,
  );
  const start = new Int32Array(width * height);
  for (const x of even) start[x] = x;
  const reached = flood(width, height, even, (to, from) => {
    if (apart(to, from) > step || apart(to, start[from]!) > drift) return false;
    start[to] = start[from]!;
    return true;
  });
  const found = plane(width, height);
  for (let i = 0; i < reached.length; i++) if (reached[i]) found.data[i] = likeness(data, i * 3);
  return limited(boxMean(found, 1), width, height);
}

/** Returns 0–1: a sky or backdrop is bright or cold; dark, warm colours are wood, earth or skin. */
function likeness(data: Uint8Array, at: number): number {
  const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
  const bright = (luma(red, green, blue) - 110) / 50;
  const cold = (blue - red + 24) / 16;
  return Math.min(1, Math.max(0, bright, cold));
}

/** Limits the sky to the upper part: a smooth path can lead over a wall to the floor. */
function limited(found: Plane, width: number, height: number): Plane {
  for (let y = 0; y < height; y++) {
    const allowed = clamp((0.85 - y / height) / 0.25);
    for (let i = y * width; i < (y + 1) * width; i++) found.data[i]! *= allowed;
  }
  return found;
}

/** Finds the sky, or a plain backdrop, that reaches down from the upper edge. */
import { boxMean } from '../pixels/blur.ts';
import { flood } from '../pixels/flood.ts';
import { luma } from '../pixels/luma.ts';
import { mapped, type Plane, plane } from '../pixels/plane.ts';
import { clamp } from '../pixels/range.ts';
import type { Raster } from '../raster.ts';

/** Limits in levels of 255: the change of colour in one step, and from the start of the path. */
const step = 7;
const drift = 70;

/** Returns 1 in the sky and 0 elsewhere, with a soft edge. */
export function skyOf({ width, height, data }: Raster<3>): Plane {
  const apart = (i: number, j: number) => {
    const off = (c: number) => Math.abs(data[i * 3 + c]! - data[j * 3 + c]!);
    return Math.max(off(0), off(1), off(2));
  };
  const seeds = Array.from({ length: width - 2 }, (_, k) => k + 1).filter(
    (x) => apart(x, x - 1) <= step && apart(x, x + width) <= step,
  );
  const start = new Int32Array(width * height);
  for (const x of seeds) start[x] = x;
  const reached = flood(width, height, seeds, (to, from) => {
    if (apart(to, from) > step || apart(to, start[from]!) > drift) return false;
    start[to] = start[from]!;
    return true;
  });
  const found = mapped(plane(width, height), (_, i) => (reached[i] ? likeness(data, i * 3) : 0));
  // A smooth path can lead over a wall to the floor, so the sky is limited to the upper part.
  return mapped(boxMean(found, 1), (value, i) => value * clamp((0.85 - Math.floor(i / width) / height) / 0.25));
}

/** Returns 0–1: a sky or backdrop is bright or cold; dark, warm colours are wood, earth or skin. */
function likeness(data: Uint8Array, at: number): number {
  const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
  const bright = (luma(red, green, blue) - 110) / 50;
  const cold = (blue - red + 24) / 16;
  return Math.min(1, Math.max(0, bright, cold));
}

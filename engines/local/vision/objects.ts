/** Finds the objects in an image that CenterNet knows by name. */
import type { Raster } from '../raster.ts';
import { run } from './backend.ts';
import objectClasses from './classes.json' with { type: 'json' };
import type { Box } from '../pixels/box.ts';
import { fitting, resized } from '../pixels/resize.ts';
import { place, sample, type Square } from './sample.ts';

export interface Found {
  /** One of the 80 classes of COCO, which `classes.json` lists in CenterNet's order. */
  label: string;
  /** 0–1; above 0.5, detections are seldom wrong. */
  score: number;
  /** In pixels of the image, and inside it. */
  box: Box;
}

const side = 512;
const minScore = 0.25;

/** Returns the objects, the most certain first. */
export async function findObjects(image: Raster<3 | 4>): Promise<Found[]> {
  const small = await resized(image, fitting(image, 1024));
  const zoom = image.width / small.width;
  const whole = { x: small.width / 2, y: small.height / 2, size: Math.max(small.width, small.height), angle: 0 };
  const found: Found[] = [];
  for (const [x0, y0, x1, y1, score, index] of await detections(small, whole)) {
    const label = objectClasses[index];
    if (score < minScore || label === undefined) continue;
    const [left, top] = place(whole, x0 / side, y0 / side);
    const [right, bottom] = place(whole, x1 / side, y1 / side);
    const [x, y] = [Math.max(0, left * zoom), Math.max(0, top * zoom)];
    const width = Math.min(image.width, right * zoom) - x;
    const height = Math.min(image.height, bottom * zoom) - y;
    const box = { x, y, width, height };
    if (width < 1 || height < 1 || found.some((other) => other.label === label && overlap(other.box, box) > 0.5))
      continue;
    found.push({ label, score, box });
  }
  return found;
}

type Detection = [x0: number, y0: number, x1: number, y1: number, score: number, index: number];

/** Returns a hundred guesses, the most certain first. */
async function detections(image: Raster<3 | 4>, square: Square): Promise<Detection[]> {
  const pixels = sample(image, square, side);
  const [flat] = await run('centernet', pixels, 600);
  const guesses = Array.from({ length: 100 }, (_, k) => [...flat!.subarray(k * 6, k * 6 + 6)] as Detection);
  return guesses.sort((a, b) => b[4] - a[4]);
}

/** Returns the shared area of two boxes as a part of the area that they cover together. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  return shared / (a.width * a.height + b.width * b.height - shared);
}

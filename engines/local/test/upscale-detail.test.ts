/** Detail becomes crisper as requested, and nearer to the truth where it was lost, without halos. */
import { expect, jest, test } from '@jest/globals';
import { inThread } from './in-thread.ts';
import { blur, crop, fineDetail, input, meanColour, type Picture, psnr, read, resize } from './upscale-measure.ts';

/** The better network takes long. */
jest.setTimeout(180_000);

const sharpenDetail = inThread('sharpenDetail');
const upscale = inThread('upscale');
const making = { nsfw: false, outputFormat: 'png' } as const;

async function sharpened(picture: Picture, scale: 1 | 2 | 4, detail: number): Promise<Picture> {
  const made = await sharpenDetail({ image: await input(picture), scale, detail, ...making });
  expect(made).toMatchObject({ model: 'local/esrgan-detail', width: picture.width * scale });
  return read(made.bytes);
}

test.each([1, 2, 4] as const)('at ×%s, more detail is crisper, and none is the plain image', async (scale) => {
  const side = scale === 4 ? 24 : 96;
  const picture = await resize(await crop('chelsea', 100, 20, 256), side, side);
  const plain =
    scale === 1 ? picture : await read((await upscale({ image: await input(picture), scale, ...making })).bytes);
  const [none, half, most] = [
    await sharpened(picture, scale, 0),
    await sharpened(picture, scale, 0.5),
    await sharpened(picture, scale, 1),
  ];
  expect(psnr(none, plain)).toBeGreaterThan(50);
  expect(fineDetail(half)).toBeGreaterThan(1.4 * fineDetail(none));
  expect(fineDetail(most)).toBeGreaterThan(1.2 * fineDetail(half));
  meanColour(plain).forEach((mean, c) => expect(Math.abs(meanColour(most)[c]! - mean)).toBeLessThan(1.5));
});

test.each([
  ['astronaut', 100, 20],
  ['coffee', 180, 60],
] as const)('restores what a slight blur removed from %s', async (name, left, top) => {
  const truth = await crop(name, left, top, 160);
  const soft = await blur(truth, 0.6);
  expect(psnr(truth, await sharpened(soft, 1, 0.5))).toBeGreaterThan(psnr(truth, soft) + 1.5);
});

test.each([1, 2] as const)('an edge gets no halo at ×%s', async (scale) => {
  const data = new Uint8Array(96 * 96 * 3);
  for (let i = 0; i < data.length; i++) data[i] = Math.floor(i / 3) % 96 < 48 ? 60 : 190;
  const edge = await blur({ width: 96, height: 96, channels: 3, data }, 1);
  const { data: crisp } = await sharpened(edge, scale, 1);
  expect(Math.min(...crisp)).toBeGreaterThan(60 - 32);
  expect(Math.max(...crisp)).toBeLessThan(190 + 32);
});

test('raises noise on an even ground less than detail', async () => {
  const data = new Uint8Array(96 * 96 * 3);
  let state = 1;
  for (let i = 0; i < data.length; i += 3) {
    state = (state * 48271) % 2147483647;
    data.fill(120 + (state % 7) - 3, i, i + 3);
  }
  const grain: Picture = { width: 96, height: 96, channels: 3, data };
  // A photograph's detail rises more than fourfold by then.
  expect(fineDetail(await sharpened(grain, 1, 1))).toBeLessThan(2.5 * fineDetail(grain));
});

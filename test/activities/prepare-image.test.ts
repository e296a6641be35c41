/** Input images: an accepted image becomes upright, sRGB, 8 bits and free of metadata; any other is input_invalid. */
import { afterAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createPreparer } from '../../activities/prepare-image.ts';
import { createDecoder } from '../../images/decoder.ts';
import { bomb, damaged, drawn, refusedByHeader, turned, usable } from '../support/pictures.ts';

const decoder = createDecoder();
const preparer = createPreparer(decoder);
afterAll(() => decoder.close());

async function prepare(file: Uint8Array) {
  const params = { field: 'image', file, nsfw: true };
  const call = { task: 'prepare-image', model: 'input', idempotencyKey: 'x', params } as const;
  const { images } = await preparer.run(call, { signal: new AbortController().signal });
  return images![0]!;
}

test.each(Object.keys(usable))('prepares %s', async (name) => {
  const file = await usable[name]!();
  const image = await prepare(file);
  const before = await sharp(file).metadata();
  const after = await sharp(image.bytes).metadata();
  expect(after).toMatchObject({ width: before.width, height: before.height, depth: 'uchar' });
  expect(['srgb', 'b-w']).toContain(after.space);
  expect(after.hasProfile).toBe(false);
  expect(image.contentType).toBe(before.format === 'jpeg' ? 'image/jpeg' : 'image/png');
  expect(after.hasAlpha).toBe(before.hasAlpha);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('makes orientation %i upright, and removes all metadata', async (orientation) => {
  const image = await prepare(await turned(orientation));
  const { exif, xmp, icc, iptc, orientation: left } = await sharp(image.bytes).metadata();
  expect([exif, xmp, icc, iptc, left]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect([image.width, image.height]).toEqual(orientation >= 5 ? [80, 120] : [120, 80]);
  // The red half is on the left of the stored pixels. The orientation determines the side on which viewers see it.
  const side = { 1: 'left', 2: 'right', 3: 'right', 4: 'left', 5: 'top', 6: 'top', 7: 'bottom', 8: 'bottom' }[
    orientation
  ];
  const { width, height } = image;
  const spot = {
    left: { left: 10, top: height >> 1 },
    right: { left: width - 11, top: height >> 1 },
    top: { left: width >> 1, top: 10 },
    bottom: { left: width >> 1, top: height - 11 },
  }[side as 'left'];
  const [r, , b] = await sharp(image.bytes)
    .extract({ ...spot, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect(r! - b!).toBeGreaterThan(100);
});

test('keeps the colours when it converts the colour space', async () => {
  const plain = await drawn(100, 80).raw().toBuffer();
  for (const name of ['a 16-bit PNG', 'a PNG with an embedded P3 profile', 'a progressive JPEG', 'a CMYK JPEG']) {
    const pixels = await sharp((await prepare(await usable[name]!())).bytes)
      .raw()
      .toBuffer();
    let sum = 0;
    for (const [i, value] of pixels.entries()) sum += Math.abs(value - plain[i]!);
    // CMYK cannot hold every colour.
    expect([name, sum / pixels.length < (name.includes('CMYK') ? 16 : 3)]).toEqual([name, true]);
  }
});

test.each(Object.keys({ ...refusedByHeader, ...damaged }))('rejects %s with input_invalid', async (name) => {
  const file = await { ...refusedByHeader, ...damaged }[name]!();
  const began = performance.now();
  await expect(prepare(file)).rejects.toMatchObject({
    code: 'input_invalid',
    publicMessage: expect.stringMatching(/^The image in "image" /),
  });
  expect(performance.now() - began).toBeLessThan(3000);
});

test('never decompresses a decompression bomb', async () => {
  const before = process.memoryUsage().rss;
  for (const size of [10_000, 20_000, 30_000]) {
    await expect(prepare(bomb(size, size))).rejects.toMatchObject({ code: 'input_invalid' });
  }
  // Making the bombs takes a few hundred megabytes of zeros.
  expect(process.memoryUsage().rss - before).toBeLessThan(900e6);
});

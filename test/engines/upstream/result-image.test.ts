/** A provider's image is converted to what the call requested, or the call fails. */
import { afterAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { EngineCall } from '../../../engines/contract/index.ts';
import { conform as conformWith } from '../../../engines/upstream/result-image.ts';
import { createDecoder } from '../../../images/decoder.ts';
import { params } from '../../../engines/local/test/ask.ts';

const decoder = createDecoder();
afterAll(() => decoder.close());

const conform = (who: string, bytes: Uint8Array, call: EngineCall, seed: number | null) =>
  conformWith({ who, convertImage: decoder.convert, signal: new AbortController().signal }, bytes, call, seed);

const drawn = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 80, b: 20, alpha: 0.5 } } });

const call = (given: Parameters<typeof params>[0]): EngineCall => ({
  model: 'selena',
  idempotencyKey: 'art_1/image-1',
  task: 'text-to-image',
  params: params(given),
});

const square = { width: 256, height: 256 };

test('keeps the bytes of an image that matches the call', async () => {
  const bytes = await drawn(256, 256).webp().toBuffer();
  const image = await conform('fal', bytes, call({ ...square, outputFormat: 'webp' }), 5);
  expect(image).toEqual({ bytes, contentType: 'image/webp', ...square, seed: 5 });
});

test('removes metadata', async () => {
  const said = await drawn(256, 256)
    .withExif({ IFD0: { ImageDescription: 'a secret prompt' } })
    .jpeg()
    .toBuffer();
  const image = await conform('comfyui', said, call({ ...square, outputFormat: 'jpeg' }), null);
  expect((await sharp(image.bytes).metadata()).exif).toBeUndefined();
  expect(Buffer.from(image.bytes).includes('a secret prompt')).toBe(false);
});

test.each(['png', 'jpeg', 'webp'] as const)('converts another size and format to %s', async (outputFormat) => {
  const image = await conform('fal', await drawn(1024, 768).jpeg().toBuffer(), call({ ...square, outputFormat }), null);
  expect(await sharp(image.bytes).metadata()).toMatchObject({ format: outputFormat, ...square });
});

test('converts a depth map to one gray channel in the size of its image', async () => {
  const image = { bytes: new Uint8Array(), contentType: 'image/png', width: 300, height: 200 } as const;
  const call = { model: 'depth-map', idempotencyKey: '', task: 'estimate-depth' } as const;
  const depth = await conform(
    'fal',
    await drawn(600, 400, 4).png().toBuffer(),
    { ...call, params: { image, nsfw: false, outputFormat: 'png' } },
    null,
  );
  expect(await sharp(depth.bytes).metadata()).toMatchObject({ width: 300, height: 200, channels: 1, depth: 'uchar' });
});

test('rejects a cut-out without alpha', async () => {
  const image = { bytes: new Uint8Array(), contentType: 'image/png', width: 64, height: 64 } as const;
  const call = { model: 'remove-background', idempotencyKey: '', task: 'remove-background' } as const;
  const cut = { ...call, params: { image, nsfw: false, outputFormat: 'png' } } as const;
  const opaque = await drawn(64, 64).png().toBuffer();
  await expect(conform('fal', opaque, cut, null)).rejects.toMatchObject({ failure: 'not-transparent' });
  // The subject may fill the image.
  const full = await drawn(64, 64).ensureAlpha(1).png().toBuffer();
  expect(await conform('fal', full, cut, null)).toMatchObject({ bytes: full });
  const clear = await drawn(64, 64, 4).png().toBuffer();
  expect(await conform('fal', clear, cut, null)).toMatchObject({ bytes: clear });
});

test('rejects a transparent drawing without a transparent pixel, unless the background may stay', async () => {
  const opaque = await drawn(256, 256).png().toBuffer();
  const cutOut = { ...square, transparentBackground: true };
  for (const file of [opaque, await drawn(256, 256).ensureAlpha(1).png().toBuffer()]) {
    const refused = conform('fal', file, call(cutOut), null);
    await expect(refused).rejects.toMatchObject({ failure: 'not-transparent' });
  }
  const made = await conform('fal', opaque, call({ ...cutOut, backgroundMayStay: true }), null);
  expect(made).toMatchObject({ bytes: opaque });
});

test('blends transparent and translucent pixels with white in JPEG', async () => {
  const half = await drawn(256, 256, 4).png().toBuffer();
  const { bytes } = await conform('fal', half, call({ ...square, outputFormat: 'jpeg' }), null);
  const { channels } = await sharp(bytes).stats();
  const whitened = [200, 80, 20].map((value) => (value + 255) / 2);
  channels.forEach(({ mean }, index) => expect(Math.abs(mean - whitened[index]!)).toBeLessThan(2));
  const gone = sharp({ create: { width: 300, height: 256, channels: 4, background: '#0000' } });
  const empty = await conform('fal', await gone.webp().toBuffer(), call({ ...square, outputFormat: 'jpeg' }), null);
  expect((await sharp(empty.bytes).stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255]);
});

test.each<[string, () => Promise<Uint8Array>]>([
  ['an HTML page', () => Promise.resolve(Buffer.from('<h1>Sorry</h1>'))],
  ['an empty file', () => Promise.resolve(new Uint8Array())],
  ['an incomplete image', async () => (await drawn(256, 256).png().toBuffer()).subarray(0, 200)],
  ['a GIF', () => drawn(256, 256).gif().toBuffer()],
  ['an SVG', () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
  ['too many pixels', () => drawn(9000, 8000).png().toBuffer()],
])('rejects %s', async (_name, bytes) => {
  await expect(conform('fal', await bytes(), call(square), null)).rejects.toMatchObject({ code: 'provider_rejected' });
});

/** segmentation: masks from points and from nouns. */
import { afterAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createLocalEngine } from '../index.ts';
import { decode, type Raster } from '../raster.ts';
import type { InputImage, Point, Segment } from '../../contract/index.ts';
import { asInput, once, pictured } from './faces.ts';
import { halfPhoto, type PhotoName } from './photos.ts';
import { blob, box, channel, disc, drawn, graded, input, overlap, plain, textured } from './cutout-shapes.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { floor, max } = Math;

const engine = createLocalEngine({ threads: 1 });
afterAll(() => engine.close());

async function mask(image: InputImage, own: Partial<Segment>): Promise<Raster> {
  const { images } = await engine.run(
    {
      model: 'segmentation',
      idempotencyKey: 'test',
      task: 'segment',
      params: { image, prompt: null, points: null, nsfw: false, outputFormat: 'png', ...own },
    },
    { signal: new AbortController().signal },
  );
  return decode(images![0]!);
}

/** Returns the message that the client receives instead of a mask. */
async function refusal(image: InputImage, own: Partial<Segment>): Promise<string> {
  const error: unknown = await mask(image, own).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'input_invalid', publicMessage: expect.any(String) });
  return (error as { publicMessage: string }).publicMessage;
}

/** Returns the mask's value at a place, given in shares of width and height. */
const at = ({ data, width, height }: Raster, x: number, y: number) =>
  data[(floor(y * height) * width + floor(x * width)) * 4];

const on = (x: number, y: number): Point => ({ x, y, label: 1 });
const off = (x: number, y: number): Point => ({ x, y, label: 0 });
const size = 384;

const halved = once(async (name: PhotoName) => asInput(sharp(await halfPhoto(name))));

describe('points', () => {
  const meadow = textured([90, 130, 80], 40, size);
  const dusk = graded([30, 40, 90], [150, 180, 230], size);

  const discOnMeadow = drawn(size, disc(205, 180, 100), plain([205, 60, 45]), meadow);
  const discMask = once(async (image: InputImage) => mask(image, { points: [on(205, 180)] }));

  test('one point is enough for a disc on a meadow', async () => {
    const { image, truth } = await discOnMeadow;
    const found = await discMask(image);
    expect([found.width, found.height]).toEqual([size, size]);
    expect(overlap(channel(found, 0), truth)).toBeGreaterThan(0.98);
  });

  test.each([
    ['a textured blob', [180, 200], blob(180, 200, 95, 3, 0.25), textured([220, 215, 225], 25, size, 2), meadow],
    ['a disc that the border cuts', [60, 200], disc(40, 200, 120), plain([205, 60, 45]), dusk],
  ] as const)('one point is enough for %s', async (_, inside, shape, front, back) => {
    const { image, truth } = await drawn(size, shape, front, back);
    const found = await mask(image, { points: [on(inside[0], inside[1])] });
    expect(overlap(channel(found, 0), truth)).toBeGreaterThan(0.98);
  });

  test('removes with a background point what touches the object', async () => {
    const [left, right] = [box(70, 120, 192, 270), box(192, 120, 314, 270)];
    const blueAndGreen = (x: number) => (x < 192 ? ([48, 96, 192] as const) : ([64, 160, 80] as const));
    const both = (x: number, y: number) => max(left(x, y), right(x, y));
    const { image } = await drawn(size, both, blueAndGreen, plain([220, 216, 208]));
    const truth = Uint8Array.from({ length: size * size }, (_, i) =>
      left((i % size) + 0.5, floor(i / size) + 0.5) > 0 ? 255 : 0,
    );
    const blue = await mask(image, { points: [on(130, 190), off(255, 190)] });
    expect(overlap(channel(blue, 0), truth)).toBeGreaterThan(0.98);
  });

  test('keeps only parts that contain a point', async () => {
    const [one, other] = [disc(110, 190, 60), disc(280, 190, 60)];
    const { image } = await drawn(size, (x, y) => max(one(x, y), other(x, y)), plain([205, 60, 45]), dusk);
    const found = await mask(image, { points: [on(110, 190)] });
    expect(at(found, 110 / size, 0.5)).toBe(255);
    expect(at(found, 280 / size, 0.5)).toBe(0);
  });

  test('on a photograph, a point on the cat gives the cat', async () => {
    const found = await mask(await halved('chelsea'), { points: [on(100, 50)] });
    expect([at(found, 0.45, 0.35), at(found, 0.6, 0.7), at(found, 0.97, 0.5)]).toEqual([255, 255, 0]);
  });

  test('smooths edges and leaves the rest black or white', async () => {
    const { image, truth } = await discOnMeadow;
    const found = channel(await discMask(image), 0);
    const between = found.filter((value) => value > 0 && value < 255).length;
    expect(between).toBeGreaterThan(300);
    expect(between).toBeLessThan(truth.length * 0.03);
  });

  test('rejects points without one on the object, outside the image, or in contradiction', async () => {
    const image = await pictured('chelsea');
    expect(await refusal(image, { points: [off(10, 10)] })).toContain('label 1');
    expect(await refusal(image, { points: [on(10, 10), on(451, 10)] })).toContain('451 × 300');
    expect(await refusal(image, { points: [on(99, 99), off(99, 99)] })).toContain('cannot lie both');
  });
});

const mugOf = once((image: InputImage) => mask(image, { prompt: 'the mug' }));

describe('nouns', () => {
  test.each([
    [
      'coffee',
      'the mug',
      [
        [0.46, 0.35],
        [0.4, 0.6],
      ],
      [
        [0.02, 0.05],
        [0.97, 0.97],
        [0.2, 0.55],
      ],
    ],
    [
      'astronaut',
      'woman',
      [
        [0.44, 0.15],
        [0.4, 0.75],
      ],
      [
        [0.02, 0.05],
        [0.98, 0.05],
      ],
    ],
    [
      'astronaut',
      'face',
      [[0.44, 0.22]],
      [
        [0.4, 0.75],
        [0.02, 0.05],
      ],
    ],
    [
      'hopper',
      'head',
      [
        [0.5, 0.35],
        [0.48, 0.1],
      ],
      [
        [0.5, 0.85],
        [0.03, 0.1],
      ],
    ],
    [
      'hopper',
      'background',
      [
        [0.03, 0.1],
        [0.95, 0.05],
        [0.9, 0.4],
      ],
      [
        [0.5, 0.35],
        [0.5, 0.8],
        [0.48, 0.1],
      ],
    ],
  ] as const)('%s: %s', async (name, prompt, white, black) => {
    const image = await halved(name);
    const found = prompt === 'the mug' ? await mugOf(image) : await mask(image, { prompt });
    expect(white.map(([x, y]) => at(found, x, y))).toEqual(white.map(() => 255));
    expect(black.map(([x, y]) => at(found, x, y))).toEqual(black.map(() => 0));
  });

  test('returns the alpha of a transparent image as its subject', async () => {
    const { pixels, truth } = await drawn(size, disc(205, 180, 100), plain([205, 60, 45]), plain([40, 160, 60]));
    const data = new Uint8Array(truth.length * 4);
    truth.forEach((alpha, i) => {
      data.set([...pixels.data.subarray(i * 3, i * 3 + 3), alpha], i * 4);
    });
    const found = await mask(await input({ width: size, height: size, channels: 4, data }), { prompt: 'subject' });
    expect(channel(found, 0)).toEqual(truth);
  });

  test('rejects an unknown noun and lists the known ones', async () => {
    const message = await refusal(await halved('chelsea'), { prompt: 'unicorn' });
    for (const word of ['subject', 'background', 'face', 'cat', 'toothbrush']) expect(message).toContain(word);
    expect(message).toContain('"unicorn"');
  });

  test('rejects a noun that is not in the image', async () => {
    expect(await refusal(await halved('chelsea'), { prompt: 'a dog' })).toBe('Nothing in the image matches "a dog".');
    expect(await refusal(await halved('coffee'), { prompt: 'faces' })).toBe('Nothing in the image matches "faces".');
  });
});

test('returns the same bytes for a synonym and after other images', async () => {
  const image = await halved('coffee');
  expect((await mask(image, { prompt: 'cup' })).data).toEqual((await mugOf(image)).data);
});

/** Measures what edits do to real photographs. */
import { afterAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createPool } from '../pool.ts';
import type { Made } from '../raster.ts';
import type { EditImage, InputImage } from '../../contract/index.ts';
import { photo, type PhotoName } from './photos.ts';
import { Picture, psnr } from './edit-picture.ts';
import { once, pictured, resized } from './faces.ts';

/** A constant, because looking up a global takes a hundred times as long in Jest's realm. */
const { max } = Math;

/** In a thread, as in production: native libraries do not work in Jest's realm. */
const pool = createPool(1);
afterAll(() => pool.close());

async function png(bytes: Uint8Array): Promise<InputImage> {
  const { data, info } = await sharp(bytes).png().toBuffer({ resolveWithObject: true });
  return { bytes: new Uint8Array(data), contentType: 'image/png', width: info.width, height: info.height };
}

const drawn = (width: number, height: number, shapes: string): Promise<InputImage> =>
  png(
    Buffer.from(
      `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="#000"/>${shapes}</svg>`,
    ),
  );

async function run(image: InputImage, instruction: string, more: Partial<EditImage> = {}): Promise<Uint8Array> {
  const params: EditImage = {
    image,
    instruction,
    mask: null,
    aspectRatio: null,
    seed: 1,
    nsfw: false,
    outputFormat: 'png',
    ...more,
  };
  const order = { task: 'edit-image', model: 'photo-pilot', params } as const;
  const made = (await pool.run(order, new AbortController().signal)) as Made;
  expect(made.model).toBe('local/darkroom');
  return made.bytes;
}

/** An alpha at which no network looks for the picture's subject, for tests in which no subject plays a part. */
const translucent = 0.4;

const pictureOf = once(async (image: InputImage) => Picture.of(image.bytes));

async function edited(name: PhotoName, instruction: string, more: Partial<EditImage> = {}) {
  const image = await pictured(name);
  return { before: await pictureOf(image), after: await Picture.of(await run(image, instruction, more)) };
}

test('brightens, less for "a bit" and more for "much", without clipping white', async () => {
  const { before, after } = await edited('coffee', 'make it brighter');
  const bit = (await edited('coffee', 'a bit brighter')).after;
  const much = (await edited('coffee', 'much brighter')).after;
  const darker = (await edited('coffee', 'darker')).after;
  const gain = after.light() / before.light();
  expect(gain).toBeGreaterThan(1.1);
  expect(gain).toBeLessThan(1.4);
  expect(bit.light()).toBeLessThan(before.light() + (after.light() - before.light()) * 0.65);
  expect(bit.light()).toBeGreaterThan(before.light() * 1.04);
  expect(much.light()).toBeGreaterThan(after.light() * 1.08);
  expect(darker.light()).toBeLessThan(before.light() * 0.85);
  expect(after.share(([r, g, b]) => max(r, g, b) >= 254)).toBeLessThan(
    before.share(([r, g, b]) => max(r, g, b) >= 254) + 0.01,
  );
});

test('changes temperature, saturation, contrast and colours as instructed', async () => {
  const original = (await edited('astronaut', 'sharpen')).before;
  const balance = (p: Picture): number => p.mean()[0] / p.mean()[2];
  expect(balance((await edited('astronaut', 'warmer')).after)).toBeGreaterThan(balance(original) * 1.12);
  expect(balance((await edited('astronaut', 'cooler')).after)).toBeLessThan(balance(original) * 0.9);
  expect((await edited('astronaut', 'more saturated')).after.chroma()).toBeGreaterThan(original.chroma() * 1.15);
  expect((await edited('astronaut', 'muted colours')).after.chroma()).toBeLessThan(original.chroma() * 0.75);
  expect((await edited('astronaut', 'black and white')).after.chroma()).toBe(0);
  expect((await edited('astronaut', 'more contrast')).after.spread()).toBeGreaterThan(original.spread() * 1.08);
  expect((await edited('astronaut', 'less contrast')).after.spread()).toBeLessThan(original.spread() * 0.9);
  const twice = await edited('astronaut', 'invert the colours and invert the colours');
  expect(psnr(twice.before, twice.after)).toBeGreaterThan(45);
});

test('blurs the background and keeps the detail of the subject', async () => {
  const { before, after } = await edited('astronaut', 'blur the background');
  const wall = { x: 360, y: 120, width: 100, height: 110 };
  const flag = { x: 8, y: 20, width: 70, height: 120 };
  const face = { x: 190, y: 80, width: 70, height: 80 };
  for (const place of [wall, flag]) expect(after.detail(place)).toBeLessThan(before.detail(place) * 0.3);
  expect(after.detail(face)).toBeGreaterThan(before.detail(face) * 0.9);
  // No halo: beside the hair the wall keeps its colour.
  const beside = { x: 290, y: 60, width: 14, height: 60 };
  expect(after.difference(before, beside)).toBeLessThan(14);
});

test('replaces the background and keeps the subject', async () => {
  const { before, after } = await edited('astronaut', 'make the background #2266aa');
  expect(after.mean({ x: 300, y: 10, width: 50, height: 50 }).map(Math.round)).toEqual([0x22, 0x66, 0xaa]);
  expect(after.difference(before, { x: 190, y: 80, width: 70, height: 80 })).toBeLessThan(3);
  const small = await resized('astronaut', 256);
  const [corner, head] = [
    { x: 150, y: 5, width: 25, height: 25 },
    { x: 95, y: 40, width: 35, height: 40 },
  ];
  const clear = await Picture.of(await run(small, 'make the background transparent'));
  expect(clear.alpha(corner)).toBe(0);
  expect(clear.alpha(head)).toBeGreaterThan(254);
  const scene = await Picture.of(await run(small, 'replace the background with a beach at sunset'));
  expect(scene.difference(await pictureOf(small), corner)).toBeGreaterThan(30);
});

test('returns exactly the requested ratio', async () => {
  const image = await resized('rocket', 320);
  const size = async (instruction: string, aspectRatio: string | null = null) => {
    const { width, height } = await sharp(await run(image, instruction, { aspectRatio })).metadata();
    return [width, height] as const;
  };
  expect(await size('crop to a square')).toEqual([214, 214]);
  const [w, h] = await size('crop to 16:9');
  expect(w * 9).toBe(h * 16);
  expect(await size('brighten', '1:1')).toEqual([214, 214]);
  expect(await size('crop to 16:9', '1:1')).toEqual([214, 214]);
  expect(await size('rotate 90 degrees left')).toEqual([214, 320]);
  expect(await size('half the size')).toEqual([160, 107]);
  expect(await size('crop 10% off the left side')).toEqual([288, 214]);
});

test('crops the side that the instruction names', async () => {
  const halves = await drawn(400, 200, '<rect width="200" height="200" fill="#f00"/>');
  const left = await Picture.of(await run(halves, 'crop 50% off the right side'));
  expect([left.width, left.height]).toEqual([200, 200]);
  expect(left.mean().map(Math.round)).toEqual([255, 0, 0]);
  const right = await Picture.of(await run(halves, 'crop off the left side by 50%'));
  expect(right.mean().map(Math.round)).toEqual([0, 0, 0]);
});

test('extends to the requested ratio and keeps the picture unchanged', async () => {
  const image = await resized('rocket', 320);
  const before = await pictureOf(image);
  const after = await Picture.of(await run(image, 'extend it', { aspectRatio: '2:1' }));
  expect(after.width).toBe(after.height * 2);
  const x = (after.width - before.width) >> 1;
  const y = (after.height - before.height) >> 1;
  expect(psnr(before, after.part({ x, y, width: before.width, height: before.height }))).toBe(Infinity);
  // The sky goes on: the new border is no darker or bluer than the strip beside it.
  const [inner, outer] = [
    after.mean({ x, y: 10, width: 40, height: 100 }),
    after.mean({ x: x - 50, y: 10, width: 40, height: 100 }),
  ];
  inner.forEach((v, k) => expect(Math.abs(v - (outer[k] ?? 0))).toBeLessThan(14));
});

test('restores the picture after four quarter turns and after two flips', async () => {
  const { before, after } = await edited('chelsea', 'rotate right, rotate right, rotate right and rotate right');
  expect(psnr(before, after)).toBe(Infinity);
  const flips = await edited('chelsea', 'flip horizontally, then flip horizontally, flip vertically, flip vertically');
  expect(psnr(flips.before, flips.after)).toBe(Infinity);
});

test('changes no pixel outside the mask', async () => {
  const mask = await drawn(512, 512, '<rect x="100" y="100" width="200" height="200" fill="#fff"/>');
  for (const instruction of ['much brighter', 'blur it a lot', 'black and white', 'add grain', 'sharpen']) {
    const { before, after } = await edited('astronaut', instruction, { mask });
    expect(after.difference(before, { x: 0, y: 0, width: 96, height: 512 })).toBe(0);
    expect(after.difference(before, { x: 306, y: 0, width: 200, height: 512 })).toBe(0);
    expect(after.difference(before, { x: 110, y: 110, width: 180, height: 180 })).toBeGreaterThan(0.5);
  }
});

test('fills a removed object with its surroundings', async () => {
  const image = await resized('rocket', 320);
  const mask = await drawn(320, 214, '<rect x="150" y="40" width="30" height="125" fill="#fff"/>');
  const before = await pictureOf(image);
  const after = await Picture.of(await run(image, 'remove the rocket', { mask }));
  const [hole, beside] = [
    { x: 153, y: 45, width: 24, height: 90 },
    { x: 120, y: 45, width: 20, height: 90 },
  ];
  expect(before.difference(after, { x: 0, y: 0, width: 145, height: 214 })).toBe(0);
  after.mean(hole).forEach((v, k) => expect(Math.abs(v - (after.mean(beside)[k] ?? 0))).toBeLessThan(8));
  expect(after.spread(hole)).toBeLessThan(before.spread(hole) / 2);
});

test('fills a hole in a texture with the texture', async () => {
  const every = (step: number, line: (at: number) => string): string =>
    Array.from({ length: 320 / step }, (_, i) => line(i * step)).join('');
  const bricks = every(
    16,
    (y) =>
      `<rect y="${y}" width="320" height="3" fill="#432"/>${every(32, (x) => `<rect x="${x + (y % 32 ? 16 : 0)}" y="${y}" width="3" height="16" fill="#432"/>`)}`,
  );
  const brick = await drawn(320, 320, `<rect width="320" height="320" fill="#b64"/>${bricks}`);
  const mask = await drawn(320, 320, '<circle cx="150" cy="160" r="40" fill="#fff"/>');
  const spoiled = await png(
    await sharp(brick.bytes)
      .composite([
        { input: Buffer.from('<svg width="320" height="320"><circle cx="150" cy="160" r="39" fill="#0f0"/></svg>') },
      ])
      .ensureAlpha(translucent)
      .png()
      .toBuffer(),
  );
  const filled = await Picture.of(await run(spoiled, 'remove this', { mask }));
  expect(psnr(await Picture.of(brick.bytes), filled, { x: 110, y: 120, width: 80, height: 80 })).toBeGreaterThan(22);
  expect(filled.share(([r, g, b]) => g > r + 40 && g > b + 40)).toBe(0);
});

test('recolours an object and keeps its light', async () => {
  const mask = await drawn(600, 400, '<ellipse cx="180" cy="200" rx="80" ry="90" fill="#fff"/>');
  const { before, after } = await edited('coffee', 'make it green', { mask });
  const place = { x: 150, y: 150, width: 30, height: 90 };
  const [r, g, b] = after.mean(place);
  expect(before.mean(place)[0]).toBeGreaterThan(before.mean(place)[1] * 1.5);
  expect(g).toBeGreaterThan(r * 1.2);
  expect(g).toBeGreaterThan(b);
  expect(after.likeness(before, place)).toBeGreaterThan(0.8);
});

test('makes faces unrecognisable', async () => {
  const face = { x: 190, y: 80, width: 70, height: 90 };
  const { before, after } = await edited('astronaut', 'blur the face');
  expect(after.detail(face)).toBeLessThan(before.detail(face) * 0.1);
  expect(after.difference(before, { x: 0, y: 250, width: 512, height: 250 })).toBe(0);
  await expect(edited('coffee', 'pixelate the faces')).rejects.toMatchObject({ code: 'face_not_found' });
});

test('removes noise and keeps detail', async () => {
  const image = await pictured('chelsea');
  const clean = await pictureOf(image);
  const noisy = await run(image, 'add a lot of noise', { seed: 3 });
  const better = await Picture.of(await run(await png(noisy), 'remove the noise'));
  expect(psnr(clean, better)).toBeGreaterThan(psnr(clean, await Picture.of(noisy)) + 1.5);
});

test('sharpens, blurs, and darkens only the corners for a vignette', async () => {
  const all = { x: 0, y: 0, width: 451, height: 300 };
  const sharper = await edited('chelsea', 'sharpen');
  expect(sharper.after.detail(all)).toBeGreaterThan(sharper.before.detail(all) * 1.3);
  const soft = await edited('chelsea', 'blur it');
  expect(soft.after.detail(all)).toBeLessThan(soft.before.detail(all) * 0.1);
  const dark = await edited('chelsea', 'add a vignette');
  expect(dark.after.light({ x: 0, y: 0, width: 40, height: 40 })).toBeLessThan(
    dark.before.light({ x: 0, y: 0, width: 40, height: 40 }) * 0.8,
  );
  expect(dark.after.difference(dark.before, { x: 200, y: 130, width: 50, height: 40 })).toBeLessThan(1);
});

test('straightens a crooked picture', async () => {
  const windows = Array.from(
    { length: 60 },
    (_, i) =>
      `<rect x="${(i % 10) * 60 + 10}" y="${Math.floor(i / 10) * 70 + 15}" width="36" height="44" fill="#9ab"/>`,
  );
  const crooked = await png(
    await sharp((await drawn(600, 440, windows.join(''))).bytes)
      .rotate(4, { background: '#000' })
      .extract({ left: 60, top: 60, width: 500, height: 340 })
      .png()
      .toBuffer(),
  );
  const before = await Picture.of(crooked.bytes);
  const after = await Picture.of(await run(crooked, 'straighten it'));
  expect(after.width).toBeLessThan(before.width);
  expect(after.rows()).toBeGreaterThan(before.rows() * 2);
});

test('returns the same bytes for the same seed and others for another seed', async () => {
  const image = await resized('coffee', 240, translucent);
  const mask = await drawn(240, 160, '<circle cx="200" cy="40" r="16" fill="#fff"/>');
  for (const [instruction, given] of [
    ['add grain', null],
    ['remove this', mask],
  ] as const) {
    const [one, same, other] = [
      await run(image, instruction, { mask: given }),
      await run(image, instruction, { mask: given }),
      await run(image, instruction, { mask: given, seed: 2 }),
    ];
    expect(Buffer.compare(one, same)).toBe(0);
    expect(Buffer.compare(one, other)).not.toBe(0);
  }
});

test('keeps alpha', async () => {
  const image = await png(
    await sharp(await photo('chelsea'))
      .composite([
        {
          input: Buffer.from('<svg width="451" height="300"><circle cx="220" cy="150" r="120" fill="#fff"/></svg>'),
          blend: 'dest-in',
        },
      ])
      .png()
      .toBuffer(),
  );
  const after = await Picture.of(await run(image, 'warmer, sharpen and crop to a square'));
  expect(after.alpha({ x: 0, y: 0, width: 10, height: 10 })).toBe(0);
  expect(after.alpha({ x: 140, y: 140, width: 20, height: 20 })).toBe(255);
});

test.each([
  ['add a dog', /not understood.*brighten/],
  ['brighten it and make the unicorn red', /"unicorn" is not among/],
  ['extend to 1:300', /64 megapixels/],
])('rejects "%s"', async (instruction, words) => {
  await expect(edited('coffee', instruction)).rejects.toMatchObject({
    code: 'input_invalid',
    publicMessage: expect.stringMatching(words),
  });
});

/** Faces and things are found where they are, near and far, and not where they are not. */
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import objectClasses from '../vision/classes.json' with { type: 'json' };
import { photo, type PhotoName } from './photos.ts';
import { inThread } from './in-thread.ts';
import { asInput, cosine, describe, findFaces, largestFace, pictured, rasterOf, resized } from './faces.ts';

const findObjects = inThread('findObjects');
const tensorsInMemory = inThread('tensorsInMemory');

test('finds the features of a face within five pixels', async () => {
  const { mesh, box, score } = await largestFace(await rasterOf(await pictured('astronaut')));
  expect(mesh).toHaveLength(468);
  expect(score).toBeGreaterThan(0.95);
  // Measured by hand on the photo: outer corners of the eyes, the nose's tip, the chin.
  const by = { 33: [193, 101], 263: [258, 105], 1: [223, 130], 152: [222, 177] } as const;
  for (const [point, [x, y]] of Object.entries(by)) {
    const [px, py] = mesh[Number(point)]!;
    expect(Math.hypot(px - x, py - y)).toBeLessThan(5);
  }
  expect(box.width).toBeGreaterThan(80);
  expect(box.width).toBeLessThan(110);
});

test('finds a face as large as the image, and one as small as a coin in it', async () => {
  const astronaut = sharp(await photo('astronaut'));
  const close = await asInput(astronaut.clone().extract({ left: 172, top: 80, width: 100, height: 110 }).resize(1200));
  const { box } = await largestFace(await rasterOf(close));
  expect(box.width / close.width).toBeGreaterThan(0.75);

  const small = await astronaut.clone().resize(220).png().toBuffer();
  const wide = { create: { width: 1400, height: 900, channels: 3 as const, background: '#7a8a70' } };
  const far = await asInput(sharp(wide).composite([{ input: small, left: 1000, top: 500 }]));
  const found = await findFaces(await rasterOf(far));
  expect(found).toHaveLength(1);
  // The face's middle lies at 44 and 24 percent of the photo.
  expect(Math.abs(found[0]!.box.x + found[0]!.box.width / 2 - (1000 + 0.44 * 220))).toBeLessThan(10);
  expect(Math.abs(found[0]!.box.y + found[0]!.box.height / 2 - (500 + 0.24 * 220))).toBeLessThan(10);
});

test('finds a tilted face, and returns the larger of two first', async () => {
  const tilted = await asInput(sharp(await photo('hopper')).rotate(25, { background: '#888' }));
  const { mesh } = await largestFace(await rasterOf(tilted));
  const angle = Math.atan2(mesh[263]![1] - mesh[33]![1], mesh[263]![0] - mesh[33]![0]);
  expect(Math.abs((angle * 180) / Math.PI - 25)).toBeLessThan(6);

  const small = (await resized('astronaut', 400)).bytes;
  const background = sharp({ create: { width: 912, height: 600, channels: 3, background: '#888' } });
  const both = background.composite([
    { input: Buffer.from(small), left: 0, top: 100 },
    { input: await photo('hopper'), left: 400, top: 0 },
  ]);
  const [first, second, ...rest] = await findFaces(await rasterOf(await asInput(both)));
  expect(first!.box.x).toBeGreaterThan(400);
  expect(second!.box.x).toBeLessThan(400);
  expect(rest).toHaveLength(0);
});

test.each<PhotoName>(['chelsea', 'coffee', 'rocket'])('finds no face in %s', async (name) => {
  expect(await findFaces(await rasterOf(await pictured(name)))).toEqual([]);
});

test('describes one person alike in another light and size, and another person differently', async () => {
  const astronaut = await describe(await pictured('astronaut'));
  const darker = await asInput(
    sharp(await photo('astronaut'))
      .resize(380)
      .gamma(1.6)
      .modulate({ brightness: 0.8 }),
  );
  expect(cosine(astronaut, await describe(darker))).toBeGreaterThan(0.7);
  expect(cosine(astronaut, await describe(await pictured('hopper')))).toBeLessThan(0.5);
});

test.each([
  ['chelsea', 'cat'],
  ['coffee', 'cup'],
  ['astronaut', 'person'],
  ['hopper', 'person'],
] as const)('%s shows a %s', async (name, label) => {
  const image = await rasterOf(await pictured(name));
  const [first] = await findObjects(image);
  expect(first).toMatchObject({ label });
  expect(objectClasses).toContain(label);
  const { box } = first!;
  expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(image.width);
  expect(box.y + box.height).toBeLessThanOrEqual(image.height);
  expect(box.width * box.height).toBeGreaterThan(0.1 * image.width * image.height);
});

test('keeps no tensors between images, and returns the same results again', async () => {
  const image = await rasterOf(await resized('astronaut', 256));
  const look = async () => [
    await findFaces(image),
    await findObjects(image),
    await describe(await pictured('astronaut')),
  ];
  const first = await look();
  const before = await tensorsInMemory();
  expect(await look()).toEqual(first);
  expect(await tensorsInMemory()).toBe(before);
});

/** Measuring a style: the numbers say what eyes see, on drawn patterns whose numbers are known and on photographs. */
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { Check } from 'typebox/value';
import { styleMeasure } from '../../contract/index.ts';
import { photo } from './photos.ts';
import { anchors, drawn, measured, paletteDistance } from './dna-styles.ts';

const painted = (inner: string, size = 400) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 100 100">${inner}</svg>`,
    ),
  )
    .png()
    .toBuffer();

const striped = painted(
  '<rect width="100" height="50" fill="#c03020"/><rect y="50" width="100" height="30" fill="#f0e0c0"/><rect y="80" width="100" height="20" fill="#203050"/>',
);

test('every anchor is measured in the shape that is agreed', async () => {
  for (const anchor of Object.values(anchors)) expect(Check(styleMeasure, await measured(await anchor()))).toBe(true);
});

test('finds the colours of a flag, and how much there is of each', async () => {
  const { palette } = await measured(await striped);
  expect(palette.slice(0, 3)).toEqual([
    { colour: '#c03020', share: 0.5 },
    { colour: '#f0e0c0', share: 0.3 },
    { colour: '#203050', share: 0.2 },
  ]);
});

test('an accent of 2 % is not lost', async () => {
  const { palette } = await measured(
    await painted('<rect width="100" height="100" fill="#888"/><circle cx="50" cy="50" r="8" fill="#e02020"/>'),
  );
  const accent = palette.find(({ colour }) => /^#[c-f].[0-4].[0-4]/.test(colour));
  expect(accent!.share).toBeCloseTo(0.02, 2);
});

test('one colour has one swatch and neither contrast nor texture', async () => {
  const { palette, light, colour, texture } = await measured(
    await painted('<rect width="100" height="100" fill="#777777"/>'),
  );
  expect(palette).toEqual([{ colour: '#777777', share: 1 }]);
  expect(light).toEqual({ brightness: expect.closeTo(0.5, 2), contrast: 0, warmth: 0.5 });
  expect(colour).toEqual({ saturation: 0, variety: 0 });
  expect(texture).toMatchObject({ grain: 0, edges: 0 });
});

test('pictures count the same, however large', async () => {
  const white = await painted('<rect width="100" height="100" fill="#ffffff"/>', 64);
  const black = await painted('<rect width="100" height="100" fill="#000000"/>', 1200);
  const { palette, light } = await measured(white, black);
  expect(palette.map(({ share }) => share)).toEqual([0.5, 0.5]);
  expect(light.brightness).toBeCloseTo(0.5, 2);
});

test('what is transparent does not count', async () => {
  const on = (ground: string) => painted(`${ground}<circle cx="50" cy="50" r="40" fill="#2060c0"/>`);
  const { palette } = await measured(await on(''));
  expect(palette).toEqual([{ colour: '#2060c0', share: 1 }]);
  expect((await measured(await on('<rect width="100" height="100" fill="#fff"/>'))).palette.length).toBeGreaterThan(1);
});

test('light, colour and warmth are what eyes see', async () => {
  const [hopper, coffee, rocket, chelsea] = await Promise.all(
    (['hopper', 'coffee', 'rocket', 'chelsea'] as const).map(async (name) => measured(await photo(name))),
  );
  const neon = await measured(await anchors['neon']!());
  const engraving = await measured(await anchors['engraving']!());
  expect(rocket!.light.brightness).toBeLessThan(0.3);
  expect(chelsea!.light.brightness).toBeGreaterThan(0.45);
  expect(hopper!.light.contrast).toBeGreaterThan(rocket!.light.contrast + 0.2);
  expect(coffee!.light.warmth).toBeGreaterThan(0.65);
  expect(rocket!.light.warmth).toBeLessThan(0.45);
  expect(engraving.colour.saturation).toBeLessThan(0.06);
  expect(neon.colour.saturation).toBeGreaterThan(0.4);
  expect(engraving.colour.variety).toBeLessThan(coffee!.colour.variety);
  expect(coffee!.colour.variety).toBeLessThan(hopper!.colour.variety);
});

test('texture: an engraving is rough, a print of flat shapes is smooth, blurring takes all of it away', async () => {
  const [engraving, vector] = await Promise.all([
    measured(await anchors['engraving']!()),
    measured(await drawn('a lighthouse on a cliff at sunset', { family: 'quantum', style: 'vector', size: 512 })),
  ]);
  expect(engraving.texture.grain).toBeGreaterThan(0.6);
  expect(vector.texture.grain).toBeLessThan(0.15);
  expect(engraving.texture.scale).toBeLessThan(vector.texture.scale - 0.3);
  const file = await photo('astronaut');
  const [sharpened, blurred] = [await measured(file), await measured(await sharp(file).blur(9).png().toBuffer())];
  expect(blurred.texture.edges).toBeLessThan(0.25 * sharpened.texture.edges);
  expect(blurred.texture.grain).toBeLessThan(0.5 * sharpened.texture.grain);
  expect(blurred.texture.scale).toBeGreaterThan(sharpened.texture.scale);
});

test('hardly depends on the size of the file, and not at all on the time of day', async () => {
  const file = await photo('astronaut');
  const [one, again] = [await measured(file), await measured(file)];
  expect(again).toEqual(one);
  const large = await measured(await sharp(file).resize(1536).png().toBuffer());
  expect(paletteDistance(one, large)).toBeLessThan(0.06);
  expect(large.light.contrast).toBeCloseTo(one.light.contrast, 1);
});

test('four photographs of one subject are measured as what they share', async () => {
  const file = await photo('coffee');
  const whole = await measured(file);
  const quarters = await Promise.all(
    [0, 300].flatMap((left) =>
      [0, 200].map((top) => sharp(file).extract({ left, top, width: 300, height: 200 }).png().toBuffer()),
    ),
  );
  expect(paletteDistance(await measured(...quarters), whole)).toBeLessThan(0.1);
});

/**
 * Encoded styles. Measuring: the numbers are right for drawn patterns whose numbers are known, and plausible for
 * photographs. Dressing: pictures of different subjects under one style look alike, and each still shows its subject.
 */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import type { Raster } from '../raster.ts';
import { Check } from 'typebox/value';
import { type StyleMeasure, styleMeasure } from '../../contract/index.ts';
import { photo, type PhotoName } from './photos.ts';
import {
  type Anchor,
  anchorNames,
  decoded,
  dressed,
  drawn,
  likeness,
  measured,
  measuredAnchor,
  measuredPhoto,
  measuredRaster,
  paletteDistance,
  prompts,
  styled,
} from './dna-styles.ts';
import { resized } from './faces.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs, floor, max } = Math;

jest.setTimeout(180_000);

describe('measuring', () => {
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

  test('the measure of every anchor matches the schema', async () => {
    for (const name of anchorNames) expect(Check(styleMeasure, await measuredAnchor(name))).toBe(true);
  });

  test('finds the colours of a flag and their shares', async () => {
    const { palette } = await measured(await striped);
    expect(palette.slice(0, 3)).toEqual([
      { colour: '#c03020', share: 0.5 },
      { colour: '#f0e0c0', share: 0.3 },
      { colour: '#203050', share: 0.2 },
    ]);
  });

  test('keeps an accent of 2 %', async () => {
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

  test('all pictures have the same weight, whatever their size', async () => {
    const white = await painted('<rect width="100" height="100" fill="#ffffff"/>', 64);
    const black = await painted('<rect width="100" height="100" fill="#000000"/>', 1200);
    const { palette, light } = await measured(white, black);
    expect(palette.map(({ share }) => share)).toEqual([0.5, 0.5]);
    expect(light.brightness).toBeCloseTo(0.5, 2);
  });

  test('ignores transparent pixels', async () => {
    const on = (ground: string) => painted(`${ground}<circle cx="50" cy="50" r="40" fill="#2060c0"/>`);
    const { palette } = await measured(await on(''));
    expect(palette).toEqual([{ colour: '#2060c0', share: 1 }]);
    expect((await measured(await on('<rect width="100" height="100" fill="#fff"/>'))).palette.length).toBeGreaterThan(
      1,
    );
  });

  test('measures plausible light, colour and warmth of known pictures', async () => {
    const [hopper, coffee, rocket, chelsea] = await Promise.all(
      (['hopper', 'coffee', 'rocket', 'chelsea'] as const).map(measuredPhoto),
    );
    const neon = await measuredAnchor('neon');
    const engraving = await measuredAnchor('engraving');
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

  test('an engraving is rough, flat shapes are smooth, and a blur removes texture', async () => {
    const [engraving, vector] = await Promise.all([
      measuredAnchor('engraving'),
      measured(await drawn('a lighthouse on a cliff at sunset', { family: 'quantum', style: 'vector', size: 384 })),
    ]);
    expect(engraving.texture.grain).toBeGreaterThan(0.6);
    expect(vector.texture.grain).toBeLessThan(0.15);
    expect(engraving.texture.scale).toBeLessThan(vector.texture.scale - 0.3);
    const file = await photo('astronaut');
    const [sharpened, blurred] = [
      await measuredPhoto('astronaut'),
      await measured(await sharp(file).blur(9).png().toBuffer()),
    ];
    expect(blurred.texture.edges).toBeLessThan(0.25 * sharpened.texture.edges);
    expect(blurred.texture.grain).toBeLessThan(0.5 * sharpened.texture.grain);
    expect(blurred.texture.scale).toBeGreaterThan(sharpened.texture.scale);
  });

  test('hardly depends on the size of the image and repeats exactly', async () => {
    const file = await photo('astronaut');
    const [one, again] = [await measuredPhoto('astronaut'), await measured(file)];
    expect(again).toEqual(one);
    const large = await measured(await sharp(file).resize(1100).png().toBuffer());
    expect(paletteDistance(one, large)).toBeLessThan(0.06);
    expect(large.light.contrast).toBeCloseTo(one.light.contrast, 1);
  });

  test('four parts of a photograph together have the palette of the whole', async () => {
    const file = await photo('coffee');
    const whole = await measuredPhoto('coffee');
    const quarters = await Promise.all(
      [0, 300].flatMap((left) =>
        [0, 200].map((top) => sharp(file).extract({ left, top, width: 300, height: 200 }).png().toBuffer()),
      ),
    );
    expect(paletteDistance(await measured(...quarters), whole)).toBeLessThan(0.1);
  });
});

describe('dressing', () => {
  interface Dressed {
    style: Anchor;
    before: Raster;
    own: StyleMeasure;
    raster: Raster;
    measure: StyleMeasure;
  }

  const styles = new Map<Anchor, StyleMeasure>();
  const made: Dressed[] = [];

  beforeAll(async () => {
    const pictures = await Promise.all(
      prompts.map(async (prompt) => {
        const before = await decoded(await drawn(prompt));
        return { before, own: await measuredRaster(before) };
      }),
    );
    for (const style of anchorNames) {
      const measure = await measuredAnchor(style);
      styles.set(style, measure);
      for (const { before, own } of pictures) {
        const raster = await dressed(before, styled(measure), 1);
        made.push({ style, before, own, raster, measure: await measuredRaster(raster) });
      }
    }
  });

  /** Returns a photograph at 240 pixels, for tests of properties that do not depend on the size. */
  const small = async (name: PhotoName) => (await resized(name, 240)).bytes;

  const mean = (values: number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

  test('palettes are alike within a style and apart between styles', () => {
    const pairs = made.flatMap((one, i) => made.slice(i + 1).map((other) => ({ one, other })));
    const distances = (same: boolean) =>
      pairs
        .filter(({ one, other }) => (one.style === other.style) === same)
        .map(({ one, other }) => paletteDistance(one.measure, other.measure));
    expect(mean(distances(true))).toBeLessThan(0.3 * mean(distances(false)));
    expect(Math.max(...distances(true))).toBeLessThan(Math.min(...distances(false)));
  });

  test.each(anchorNames)('%s: its pictures are nearest to each other and to their anchor', (style) => {
    for (const one of made.filter((picture) => picture.style === style)) {
      const near = made
        .filter((other) => other !== one)
        .toSorted((a, b) => paletteDistance(one.measure, a.measure) - paletteDistance(one.measure, b.measure));
      expect(near.slice(0, 2).map((other) => other.style)).toEqual([style, style]);
      const [nearest] = [...styles].toSorted(
        ([, a], [, b]) => paletteDistance(one.measure, a) - paletteDistance(one.measure, b),
      );
      expect(nearest![0]).toBe(style);
    }
  });

  test.each(anchorNames)('%s: light, colour and texture approach those of the style', (style) => {
    const wanted = styles.get(style)!;
    for (const { own, measure } of made.filter((picture) => picture.style === style)) {
      expect(Math.abs(measure.light.brightness - wanted.light.brightness)).toBeLessThan(0.03);
      expect(Math.abs(measure.light.contrast - wanted.light.contrast)).toBeLessThan(0.12);
      expect(Math.abs(measure.light.warmth - wanted.light.warmth)).toBeLessThan(0.06);
      // Swatches beyond what sRGB can show lose colour, so of a colourful style at least half of the way must be gone.
      const pale = (one: StyleMeasure) => Math.abs(one.colour.saturation - wanted.colour.saturation);
      expect(pale(measure)).toBeLessThan(Math.max(0.05, 0.5 * pale(own)));
      for (const number of ['grain', 'edges'] as const) {
        const missed = (texture: StyleMeasure['texture']) => Math.abs(texture[number] - wanted.texture[number]);
        // Nothing moves away from its style, and what was far moves at least a quarter of the way.
        expect(missed(measure.texture)).toBeLessThan(Math.max(0.12, 0.75 * missed(own.texture)));
      }
    }
  });

  test.each(anchorNames)('%s: subjects stay readable', (style) => {
    for (const { before, raster } of made.filter((picture) => picture.style === style)) {
      expect(likeness(before, raster)).toBeGreaterThan(0.5);
    }
  });

  const photographs: [PhotoName, style: Anchor][] = [
    ['astronaut', 'ukiyo-e'],
    ['chelsea', 'neon'],
  ];

  test.each(photographs)('%s as %s: is near to the style and keeps the composition', async (name, style) => {
    const before = await decoded((await resized(name, 300)).bytes);
    const wanted = styles.get(style)!;
    const after = await dressed(before, styled(wanted), 0.75, 1);
    const [own, got] = [await measuredRaster(before), await measuredRaster(after)];
    expect(paletteDistance(got, wanted)).toBeLessThan(0.65 * paletteDistance(own, wanted));
    expect(likeness(before, after)).toBeGreaterThan(0.75);
  });

  test('a larger amount is nearer to the style, and 0 changes nothing', async () => {
    const before = await decoded(await small('hopper'));
    const wanted = styled(await measuredPhoto('coffee'));
    const distances: number[] = [];
    for (const amount of [0, 0.4, 0.8, 1]) {
      const after = await dressed(before, wanted, amount, 1);
      if (amount === 0) expect(Buffer.compare(after.data, before.data)).toBe(0);
      distances.push(paletteDistance(await measuredRaster(after), wanted.measure));
    }
    expect(distances).toEqual(distances.toSorted((a, b) => b - a));
  });

  test('the same seed gives the same bytes, another seed gives other grain', async () => {
    const before = await decoded(await small('chelsea'));
    const style = styled(styles.get('engraving')!);
    const one = await dressed(before, style, 1, 3);
    const again = await dressed(before, style, 1, 3);
    const other = await dressed(before, style, 1, 4);
    expect(Buffer.compare(one.data, again.data)).toBe(0);
    expect(Buffer.compare(one.data, other.data)).not.toBe(0);
  });

  test('keeps the alpha, and ignores the colours of transparent pixels', async () => {
    const cutout = await decoded(await drawn('a red fox', { transparentBackground: true, size: 256 }));
    const style = styled(styles.get('ukiyo-e')!);
    const after = await dressed(cutout, style, 1, 1);
    const alphas = (raster: Raster) => raster.data.filter((_, i) => i % 4 === 3);
    expect(Buffer.compare(alphas(after), alphas(cutout))).toBe(0);
    expect(new Set(alphas(cutout)).has(0)).toBe(true);

    const hidden = { ...cutout, data: new Uint8Array(cutout.data) };
    for (let p = 0; p < hidden.data.length; p += 4) if (hidden.data[p + 3] === 0) hidden.data.set([255, 0, 255], p);
    const same = await dressed(hidden, style, 1, 1);
    let worst = 0;
    for (let p = 0; p < same.data.length; p++)
      if (same.data[(p & ~3) + 3] === 255) worst = max(worst, abs(same.data[p]! - after.data[p]!));
    expect(worst).toBeLessThan(12);
  });

  test('a smooth sky stays smooth: no bands', async () => {
    const [width, height] = [256, 256];
    const data = new Uint8Array(width * height * 4);
    for (let i = 0; i < width * height; i++) {
      const t = floor(i / width) / height;
      data.set([90 + 90 * t, 140 + 70 * t, 220 + 20 * t, 255], i * 4);
    }
    const sky: Raster = { width, height, channels: 4, data };
    for (const style of ['watercolor', 'the night of the rocket', 'the table of the coffee'] as const) {
      const after = await dressed(sky, styled(styles.get(style)!), 1, 1);
      const rows = Array.from({ length: height }, (_, y) =>
        mean(Array.from({ length: width }, (_, x) => after.data[(y * width + x) * 4 + 1]!)),
      );
      const steps = rows.slice(1).map((v, y) => Math.abs(v - rows[y]!));
      expect(Math.max(...steps)).toBeLessThan(6.5);
    }
  });

  test('a picture larger than 2048 pixels keeps its size and its fine detail', async () => {
    const bytes = await sharp(await photo('rocket'))
      .resize(2100)
      .extract({ left: 0, top: 640, width: 2100, height: 120 })
      .png()
      .toBuffer();
    const before = await decoded(bytes);
    const wanted = styled(await measuredPhoto('coffee'));
    const after = await dressed(before, wanted, 1, 1);
    expect(after).toMatchObject({ width: before.width, height: before.height });
    expect(likeness(before, after)).toBeGreaterThan(0.75);
    expect(paletteDistance(await measuredRaster(after), wanted.measure)).toBeLessThan(0.12);
  });

  test('extreme styles, which words can give, produce a picture', async () => {
    const before = await decoded(await drawn(prompts[0]!, { size: 128 }));
    for (const n of [0, 1]) {
      const corner: StyleMeasure = {
        palette: [{ colour: n === 0 ? '#000000' : '#ff00ff', share: n }],
        light: { brightness: n, contrast: n, warmth: n },
        colour: { saturation: n, variety: n },
        texture: { grain: n, edges: n, scale: 1 - n },
      };
      const { data } = await dressed(before, styled(corner), 1);
      expect(data.length).toBe(before.data.length);
      const light = mean(Array.from(data.filter((_, i) => i % 4 === 1)));
      if (n === 0) expect(light).toBeLessThan(30);
      else expect(light).toBeGreaterThan(200);
    }
  });

  test('dresses a picture of one colour and a line of pixels', async () => {
    const style = styled(styles.get('engraving')!);
    for (const [width, height] of [
      [64, 64],
      [600, 1],
      [1, 1],
    ] as const) {
      const plain: Raster = { width, height, channels: 4, data: new Uint8Array(width * height * 4).fill(128) };
      expect(await dressed(plain, style, 1)).toMatchObject({ width, height, channels: 4 });
    }
  });
});

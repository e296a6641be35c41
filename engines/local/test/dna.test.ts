/** Dressing: pictures of different subjects under one style look alike, and each still shows its subject. */
import { beforeAll, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import type { Raster } from '../raster.ts';
import type { StyleMeasure } from '../../contract/index.ts';
import { photo, type PhotoName } from './photos.ts';
import {
  anchors,
  decoded,
  dressed,
  drawn,
  likeness,
  measured,
  measuredRaster,
  ofPhoto,
  paletteDistance,
  prompts,
  styled,
} from './dna-styles.ts';
import { resized } from './faces.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs, floor, max } = Math;

jest.setTimeout(180_000);

interface Dressed {
  style: string;
  before: Raster;
  own: StyleMeasure;
  raster: Raster;
  measure: StyleMeasure;
}

const styles = new Map<string, StyleMeasure>();
const made: Dressed[] = [];

beforeAll(async () => {
  const pictures = await Promise.all(
    prompts.map(async (prompt) => {
      const before = await decoded(await drawn(prompt));
      return { before, own: await measuredRaster(before) };
    }),
  );
  for (const [style, anchor] of Object.entries(anchors)) {
    const measure = await measured(await anchor());
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

test.each(Object.keys(anchors))('%s: its pictures are nearest to each other and to their anchor', (style) => {
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

test.each(Object.keys(anchors))('%s: light, colour and texture come out as the style has them', (style) => {
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

test.each(Object.keys(anchors))('%s: subjects stay readable', (style) => {
  for (const { before, raster } of made.filter((picture) => picture.style === style)) {
    expect(likeness(before, raster)).toBeGreaterThan(0.5);
  }
});

const photographs: [PhotoName, style: string][] = [
  ['astronaut', 'ukiyo-e'],
  ['chelsea', 'neon'],
  ['coffee', 'watercolor'],
];

test.each(photographs)('%s as %s: near to the style, and still the photograph', async (name, style) => {
  const before = await decoded(await photo(name));
  const wanted = styles.get(style)!;
  const after = await dressed(before, styled(wanted), 0.75, 1);
  const [own, got] = [await measuredRaster(before), await measuredRaster(after)];
  expect(paletteDistance(got, wanted)).toBeLessThan(0.65 * paletteDistance(own, wanted));
  expect(likeness(before, after)).toBeGreaterThan(0.75);
});

test('more of a style is nearer to it, none leaves the picture alone', async () => {
  const before = await decoded(await small('hopper'));
  const wanted = await ofPhoto('coffee');
  const distances: number[] = [];
  for (const amount of [0, 0.4, 0.8, 1]) {
    const after = await dressed(before, wanted, amount, 1);
    if (amount === 0) expect(Buffer.compare(after.data, before.data)).toBe(0);
    distances.push(paletteDistance(await measuredRaster(after), wanted.measure));
  }
  expect(distances).toEqual(distances.toSorted((a, b) => b - a));
});

test('the same again for the same seed, other grain for another', async () => {
  const before = await decoded(await small('chelsea'));
  const style = styled(styles.get('engraving')!);
  const one = await dressed(before, style, 1, 3);
  const again = await dressed(before, style, 1, 3);
  const other = await dressed(before, style, 1, 4);
  expect(Buffer.compare(one.data, again.data)).toBe(0);
  expect(Buffer.compare(one.data, other.data)).not.toBe(0);
});

test('alpha is kept, and what it hides changes nothing', async () => {
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
  for (const style of ['watercolor', 'the night of the rocket', 'the table of the coffee']) {
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
    .resize(2600)
    .extract({ left: 0, top: 600, width: 2600, height: 600 })
    .png()
    .toBuffer();
  const before = await decoded(bytes);
  const wanted = await ofPhoto('coffee');
  const after = await dressed(before, wanted, 1, 1);
  expect(after).toMatchObject({ width: before.width, height: before.height });
  expect(likeness(before, after)).toBeGreaterThan(0.75);
  expect(paletteDistance(await measuredRaster(after), wanted.measure)).toBeLessThan(0.12);
});

test('a style of words alone may be anything: every corner of it gives a picture', async () => {
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

test('one colour all over, or a line of pixels, is dressed too', async () => {
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

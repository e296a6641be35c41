/** Every listed style has a look of its own, and the families are told apart. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { hamilton, quantum, selena } from '../../contract/index.ts';
import { distance, picture, pixels, type Pixels } from './ask.ts';
import { inThread } from './in-thread.ts';

const engine = createLocalEngine({ threads: 2 });
afterAll(() => engine.close());

const families = [selena, quantum, hamilton];

test('every listed style has a look, and every look is listed', async () => {
  const [looks, houses, tiles] = [
    await inThread('lookNames')(),
    await inThread('houseNames')(),
    await inThread('tileNames')(),
  ];
  const listed = families.flatMap((f) => f.styles.map((s) => s.id as string));
  expect(new Set(listed).size).toBe(listed.length);
  expect([...looks, ...tiles].sort()).toEqual([...listed].sort());
  expect(houses.sort()).toEqual(families.map((f) => f.family).sort());
  expect(tiles.sort()).toEqual(
    selena.styles
      .filter((s) => s.seamless)
      .map((s) => s.id)
      .sort(),
  );
});

test('every aspect ratio is one megapixel or so, in multiples of 8', () => {
  for (const family of families) {
    expect(family.aspectRatios.map((r) => r.id as string)).toContain(family.defaultAspectRatio);
    for (const { id, width, height } of family.aspectRatios) {
      const [w, h] = id.split(':').map(Number) as [number, number];
      expect([id, width % 8, height % 8]).toEqual([id, 0, 0]);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(256);
      expect(Math.max(width, height)).toBeLessThanOrEqual(2048);
      expect(Math.abs(width / height / (w / h) - 1)).toBeLessThan(0.02);
      expect(Math.abs((width * height) / 2 ** 20 - 1)).toBeLessThan(0.08);
    }
  }
});

test('styles and house looks differ visibly, pair by pair', async () => {
  const all = families.flatMap((f) =>
    [null, ...f.styles.map((s) => s.id)].map((style) => ({ model: f.family, style })),
  );
  const drawn: [string, Pixels][] = await Promise.all(
    all.map(async ({ model, style }) => [
      `${model} ${style}`,
      await pixels(await picture(engine, { style, prompt: 'a fox by a mountain lake' }, model)),
    ]),
  );
  const alike: string[] = [];
  for (const [i, [a, one]] of drawn.entries())
    for (const [b, two] of drawn.slice(i + 1))
      if (distance(one, two) < 9) alike.push(`${a} / ${b}: ${distance(one, two).toFixed(1)}`);
  expect(alike).toEqual([]);
  const house = (family: string): Pixels => drawn.find(([name]) => name === `${family} null`)![1];
  expect(distance(house('selena'), house('quantum'))).toBeGreaterThan(14);
  expect(distance(house('selena'), house('hamilton'))).toBeGreaterThan(14);
  expect(distance(house('quantum'), house('hamilton'))).toBeGreaterThan(14);
});

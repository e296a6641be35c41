/** Transparent pictures: subjects alone, soft at the edge, nothing behind, no halo. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { picture, pixels, type Pixels } from './ask.ts';

const engine = createLocalEngine({ threads: 2 });
afterAll(() => engine.close());

const alphaAt = (p: Pixels, x: number, y: number): number => p.data[(y * p.width + x) * 4 + 3]!;

function shares(p: Pixels): { clear: number; solid: number; soft: number } {
  let [clear, solid] = [0, 0];
  for (let i = 3; i < p.data.length; i += 4) {
    if (p.data[i] === 0) clear++;
    if (p.data[i]! > 250) solid++;
  }
  const all = p.width * p.height;
  return { clear: clear / all, solid: solid / all, soft: (all - clear - solid) / all };
}

test.each([
  { prompt: 'a red fox', style: null },
  { prompt: 'two cats', style: 'watercolor' },
  { prompt: 'a bowl of fruit', style: 'oil' },
  { prompt: 'mountain lake at dusk', style: null },
  { prompt: 'inscrutable ontology', style: 'paper-cut' },
])('$prompt ($style)', async (given) => {
  const p = await pixels(await picture(engine, { ...given, transparentBackground: true }));
  expect(p.channels).toBe(4);
  for (const [x, y] of [
    [0, 0],
    [p.width - 1, 0],
    [0, p.height - 1],
    [p.width - 1, p.height - 1],
  ] as const)
    expect(alphaAt(p, x, y)).toBe(0);
  const { clear, solid, soft } = shares(p);
  expect(clear).toBeGreaterThan(0.2);
  expect(solid).toBeGreaterThan(0.12);
  expect(soft).toBeGreaterThan(0.001);
  expect(soft).toBeLessThan(0.12);
});

test('the rim of a dark subject holds no pale halo', async () => {
  const p = await pixels(await picture(engine, { prompt: 'a black cat', transparentBackground: true }));
  let [rim, count] = [0, 0];
  for (let i = 0; i < p.data.length; i += 4)
    if (p.data[i + 3]! > 40 && p.data[i + 3]! < 200) {
      rim += (p.data[i]! + p.data[i + 1]! + p.data[i + 2]!) / 3;
      count++;
    }
  expect(rim / count).toBeLessThan(130);
});

test('webp keeps its alpha; without the option there is none', async () => {
  const webp = await pixels(
    await picture(engine, { prompt: 'a red fox', transparentBackground: true, outputFormat: 'webp' }),
  );
  expect([webp.format, webp.channels]).toEqual(['webp', 4]);
  expect((await pixels(await picture(engine, { prompt: 'a red fox' }))).channels).toBe(3);
});
